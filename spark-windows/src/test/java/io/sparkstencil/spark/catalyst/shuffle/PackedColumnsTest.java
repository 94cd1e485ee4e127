/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Doubles come out of batches bit by bit, and those of few digits take fewer bits. */
final class PackedColumnsTest {
  private static final int ROWS = 400;
  private static final int BEGIN = PackedColumns.HEADER_BYTES;
  private static final long FIRST = Platform.BYTE_ARRAY_OFFSET;
  private static final int EMPTY = BEGIN + 3 * Long.BYTES;

  private final DecimalFractions fractions = new DecimalFractions();
  private final Quotients quotients = new Quotients();

  private static long[] words(DoubleStream values) {
    return values.mapToLong(Double::doubleToRawLongBits).toArray();
  }

  private static long[] random(LongToDoubleFunction value) {
    return words(new Random(9).longs(ROWS).mapToDouble(value));
  }

  /** Writes words {@code first} to before {@code until}, and returns where they end. */
  private interface Writer {
    long write(long[] words, int first, int until, byte[] target, long at);
  }

  /** Packs a column of words that lie among others, and requires that it comes back. */
  private static UnsafeRow batch(Writer writer, long... words) {
    byte[] bytes = new byte[PackedColumns.mostBytes(1, words.length)];
    long at = PackedColumns.writeRows(bytes, words.length);
    long[] shifted = new long[words.length + 3];
    System.arraycopy(words, 0, shifted, 2, words.length);
    UnsafeRow batch = batch(bytes, writer.write(shifted, 2, 2 + words.length, bytes, at));
    requireSame(batch, words);
    return batch;
  }

  private static UnsafeRow batch(byte[] bytes, long end) {
    UnsafeRow batch = new UnsafeRow(0);
    batch.pointTo(bytes, FIRST, (int) (end - FIRST));
    return batch;
  }

  /** Packs a column, requires that it comes back, and returns its bytes without the header's. */
  private int packed(long... words) {
    UnsafeRow batch =
        batch(
            (all, first, until, target, at) ->
                PackedColumns.writeDoubles(all, first, until, target, at, fractions),
            words);
    return batch.getSizeInBytes() - EMPTY;
  }

  private static void requireSame(UnsafeRow batch, long... words) {
    long at = FIRST + BEGIN;
    assertThat(PackedColumns.next(batch, at)).isEqualTo(FIRST + batch.getSizeInBytes());
    if (PackedColumns.hasRange(batch, at)) {
      assertThat(PackedColumns.least(batch, at))
          .isEqualTo(Arrays.stream(words).min().orElseThrow());
      assertThat(PackedColumns.most(batch, at)).isEqualTo(Arrays.stream(words).max().orElseThrow());
    }
    for (int stride = 1; stride < 3; stride++) {
      long[] read = new long[1 + stride * words.length];
      PackedColumns.read(batch, at, read, 1, stride, read.length);
      for (int i = 0; i < words.length; i++) {
        assertThat(read[1 + i * stride]).as("row %d, stride %d", i, stride).isEqualTo(words[i]);
      }
    }
  }

  /** Packs words as numbers or quotients, requires that they come back, and returns their bytes. */
  private int packedFew(FewValues few, long... words) {
    UnsafeRow batch =
        batch(
            (all, first, until, target, at) ->
                PackedColumns.writeFew(all, first, until, target, at, few, quotients),
            words);
    assertThat(PackedColumns.hasRange(batch, FIRST + BEGIN)).isTrue();
    requirePlainCopy(batch, words);
    return batch.getSizeInBytes() - EMPTY;
  }

  /** Requires that a copy without numbers is as large as what is written without them. */
  private static void requirePlainCopy(UnsafeRow batch, long... words) {
    long at = FIRST + BEGIN;
    byte[] written = new byte[PackedColumns.mostBytes(1, words.length) + Long.BYTES];
    long begin = PackedColumns.writeRows(written, words.length);
    long end = PackedColumns.write(words, 0, words.length, written, begin);
    assertThat(PackedColumns.plainBytes(batch, at)).isEqualTo(end - begin);
    byte[] copy = written.clone();
    Arrays.fill(copy, BEGIN, copy.length, (byte) 0xA5);
    assertThat(PackedColumns.copyPlain(batch, at, copy, begin)).isEqualTo(end);
    UnsafeRow copied = batch(copy, end);
    int size = copied.getSizeInBytes();
    requireSame(copied, words);
    assertThat(PackedColumns.least(copied, begin)).isEqualTo(PackedColumns.least(batch, at));
    assertThat(PackedColumns.most(copied, begin)).isEqualTo(PackedColumns.most(batch, at));
    assertThat(Arrays.copyOfRange(copy, size, copy.length)).containsOnly(0xA5);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1", "3, 2", "5, 3", "8, 3", "9, 4", "16, 4", "17, 5", "32, 5",
  })
  void fewDifferentWordsAreNumbered(int different, int bits) {
    Random random = new Random(different);
    for (int of : new int[] {40, 63, 64}) { // wide ranges, of which all bits may be needed
      long[] values = random.longs(different).map(any -> any >> (Long.SIZE - of)).toArray();
      long[] words = random.ints(ROWS, 0, different).mapToLong(i -> values[i]).toArray();
      System.arraycopy(values, 0, words, 7, different); // all occur
      int ofNumbers = (ROWS * bits + Long.SIZE - 1) / Long.SIZE;
      assertThat(packedFew(new FewValues(), words)).isEqualTo(8 * (different + ofNumbers));
    }
  }

  @Test
  void fewWordsAreNumberedNearTheFirstAndFarFromIt() {
    long[] near = {-2000, -100, 1, 3, 1500};
    long[] words = new Random(7).ints(ROWS, 0, 5).mapToLong(i -> near[i]).toArray();
    System.arraycopy(near, 0, words, 0, 5);
    words[0] = 0; // a sixth
    words[ROWS - 1] = near[0];
    FewValues few = new FewValues();
    int ofNumbers = (3 * ROWS + Long.SIZE - 1) / Long.SIZE;
    assertThat(packedFew(few, words)).isEqualTo(8 * (6 + ofNumbers));
    words[ROWS / 2] = 5_000_000_000_000L;
    assertThat(packedFew(few, words)).isEqualTo(8 * (7 + ofNumbers));
    words[ROWS / 2] = 0;
    assertThat(packedFew(few, words)).as("none is left of before").isEqualTo(8 * (6 + ofNumbers));
  }

  @Test
  void wordsAreNotNumberedWhereThatIsNoGain() {
    Random random = new Random(4);
    assertThat(packedFew(new FewValues(), random.ints(ROWS, 0, 8).asLongStream().toArray()))
        .isEqualTo((ROWS * 3 + 63) / 64 * 8);
    assertThat(packedFew(new FewValues(), new long[ROWS])).isZero();
    assertThat(packedFew(new FewValues(), random.longs(ROWS).map(any -> any & 0xFFFF).toArray()))
        .as("more than 32")
        .isEqualTo(2 * ROWS);
    assertThat(packedFew(new FewValues(), 1L << 40, 5, 1L << 40)).isEqualTo(2 * 8);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 1L << 32})
  void fewWordsAreFoundAgainAfterBatchesInVain(long different) {
    FewValues few = new FewValues();
    long[] many = new Random(5).longs(ROWS, 0, different).toArray();
    long[] values = {0, 1, 0xFFFFFFFFL};
    long[] three = new Random(6).ints(ROWS, 0, 3).mapToLong(any -> values[any]).toArray();
    for (int i = 0; i < 5; i++) {
      packedFew(few, many);
    }
    int[] sizes = new int[40];
    Arrays.setAll(sizes, unused -> packedFew(few, three));
    assertThat(sizes[0]).as("not tried").isEqualTo(4 * ROWS);
    assertThat(sizes[39]).isEqualTo(8 * (3 + (2 * ROWS + 63) / 64));
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 1000, 1_800_000_000L, 1L << 40, 86_400_000_000L})
  void multiplesTakeTheBitsOfQuotients(long divisor) {
    for (long least : new long[] {0, -7, 5_000_000_000_000_001L, Long.MIN_VALUE}) {
      long[] words = new Random(divisor).longs(ROWS, 0, 1 << 16).map(q -> q * divisor).toArray();
      words[3] = 0;
      words[4] = 0xFFFF * divisor;
      Arrays.setAll(words, i -> least + words[i]);
      assertThat(packedFew(new FewValues(), words)).isEqualTo(8 + 2 * ROWS);
    }
  }

  @Test
  void divisorsOfOtherBatchesAreLookedForAfresh() {
    assertThat(packedFew(new FewValues(), multiples(1_800_000_000L))).isEqualTo(8 + 2 * ROWS);
    assertThat(packedFew(new FewValues(), multiples(60_000_000L))).isEqualTo(8 + 2 * ROWS);
    assertThat(packedFew(new FewValues(), multiples(7))).isEqualTo(8 + 2 * ROWS);
    assertThat(packedFew(new FewValues(), multiples(60_000_000L))).isEqualTo(8 + 2 * ROWS);
    int[] sizes = new int[40];
    Arrays.setAll(sizes, unused -> packedFew(new FewValues(), multiples(1_800_000_000L)));
    assertThat(sizes[0]).as("by 60 seconds").isEqualTo(8 + (21 * ROWS + 63) / 64 * 8);
    assertThat(sizes[39]).as("by their own").isEqualTo(8 + 2 * ROWS);
  }

  private static long[] multiples(long divisor) {
    long[] words = new Random(divisor).longs(ROWS, 0, 1 << 16).map(q -> q * divisor).toArray();
    words[3] = 0;
    words[4] = 0xFFFF * divisor;
    return words;
  }

  @Test
  void oneThatIsNoMultipleKeepsAllAsTheyAre() {
    long[] words = new Random(8).longs(ROWS, 0, 1 << 16).map(any -> any * 60_000_000L).toArray();
    words[ROWS / 2 + 2]++; // where no sample is
    assertThat(packedFew(new FewValues(), words)).isEqualTo((ROWS * 42 + 63) / 64 * 8);
    words[ROWS / 2 + 2] = 1L << 50;
    assertThat(packedFew(new FewValues(), words)).isEqualTo((ROWS * 50 + 63) / 64 * 8);
  }

  @Test
  void multiplesOverTheWholeRangeOfLongsComeBack() {
    for (long divisor : new long[] {3, 10, 1L << 20, 3L << 40}) {
      long most = Long.divideUnsigned(-1, divisor);
      long[] words = new Random(divisor).longs(ROWS).toArray();
      Arrays.setAll(words, i -> Long.remainderUnsigned(words[i], most) * divisor + 11);
      FewValues few = new FewValues();
      batch(
          (all, first, until, target, at) ->
              PackedColumns.writeFew(all, first, until, target, at, few, quotients),
          words);
    }
  }

  /** Bits of differences, and how many they take. */
  @ParameterizedTest
  @CsvSource({
    "0, 0", "1, 1", "2, 2", "3, 3", "5, 5", "7, 8", "8, 8", "9, 9", "12, 12", "13, 16", "16, 16",
    "17, 17", "20, 20", "24, 24", "25, 25", "26, 32", "32, 32", "33, 33", "34, 34", "40, 40",
    "47, 47", "56, 56", "57, 64", "64, 64"
  })
  void differencesTakeTheBitsThatTheyNeed(int needed, int taken) {
    for (int rows : new int[] {2, 3, 64, 65, ROWS}) {
      long least = needed == Long.SIZE ? Long.MIN_VALUE : 7;
      long range = needed == 0 ? 0 : -1L >>> (Long.SIZE - needed);
      long[] words = new Random(needed).longs(rows).map(any -> least + (any & range)).toArray();
      words[0] = least;
      words[1] = least + range;
      int ofWords = (int) (((long) rows * taken + Long.SIZE - 1) / Long.SIZE);
      assertThat(packed(words)).as("%d rows", rows).isEqualTo(Long.BYTES * ofWords);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 10, 100, 1e7, 1e15})
  void fractionsTakeTheBitsOfTheirDigits(double divisor) {
    assertThat(packed(random(any -> (any & 0xFFFF) / divisor))).isEqualTo(2 * ROWS);
  }

  @Test
  void integersAreFractionsOfNoDigits() {
    assertThat(packed(random(any -> -5e3 + (any & 0xFF)))).isEqualTo(ROWS);
  }

  @Test
  void moreDigitsThanBeforeAreFound() {
    assertThat(packed(random(any -> any & 0xF))).isEqualTo(ROWS / 2);
    assertThat(packed(random(any -> (any & 0xF) / 1e3))).isEqualTo(ROWS / 2);
    long[] words = random(any -> (any & 0xF) / 1e3);
    words[ROWS / 2 + 1] = Double.doubleToRawLongBits(0.00025); // where no sample is
    assertThat(packed(words)).as("one has more digits than samples").isEqualTo(8 * ROWS);
    assertThat(packed(words)).as("the next is tried").isEqualTo(8 * ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {-0.0, Double.NaN, Double.NEGATIVE_INFINITY, 1e300, Double.MIN_VALUE, 1e-16})
  void oneThatIsNoFractionKeepsAllAsTheyAre(double other) {
    long[] words = random(any -> (any & 0xFF) / 10D);
    words[ROWS / 3] = Double.doubleToRawLongBits(other);
    assertThat(packed(words)).isEqualTo(8 * ROWS);
    words[ROWS / 3] = 0x7FF8000000000123L; // a NaN of its own
    assertThat(packed(words)).isEqualTo(8 * ROWS);
  }

  @Test
  void fractionsOfManyDigitsAreKeptAsTheyAre() {
    assertThat(packed(random(any -> (any >> 1) / 1e1))).isEqualTo(8 * ROWS);
    assertThat(packed(words(new Random(3).doubles(ROWS, -1, 1)))).isEqualTo(8 * ROWS);
    assertThat(packed(words(new Random(3).ints(ROWS).mapToDouble(any -> any / 1e2))))
        .isEqualTo(8 * ROWS); // not tried, as two before were in vain
  }

  @Test
  void fractionsAreFoundAgainAfterSomeInVain() {
    for (int i = 0; i < 5; i++) {
      packed(random(any -> Math.sin(any)));
    }
    long[] words = random(any -> (any & 0xFF) / 100D);
    int[] sizes = new int[40];
    Arrays.setAll(sizes, unused -> packed(words));
    assertThat(sizes[0]).isEqualTo(8 * ROWS);
    assertThat(sizes[39]).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 63, 64, 65})
  void fewRows(int rows) {
    packed(words(new Random(rows).ints(rows, 0, 1 << 20).mapToDouble(any -> any / 1e4)));
    packed(new long[rows]);
  }
}
