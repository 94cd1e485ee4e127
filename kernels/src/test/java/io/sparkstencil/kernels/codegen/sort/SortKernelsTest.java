/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.LaunchShape;
import io.sparkstencil.engine.RowSort.Form;
import io.sparkstencil.engine.RowSort.Key;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.kernels.emulator.DeviceMemory;
import io.sparkstencil.kernels.emulator.Emulator;
import io.sparkstencil.kernels.emulator.PtxKernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kernel of the sort alone, on an emulated device, does what plain Java does. */
class SortKernelsTest {
  private final DeviceMemory memory = new DeviceMemory();
  private final Emulator emulator = new Emulator(memory);

  private long words(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.nativeOrder());
    bytes.asLongBuffer().put(values);
    long address = memory.allocate(bytes.capacity());
    memory.write(address, bytes);
    return address;
  }

  private long numbers(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.nativeOrder());
    bytes.asIntBuffer().put(values);
    long address = memory.allocate(bytes.capacity());
    memory.write(address, bytes);
    return address;
  }

  private long[] wordsAt(long address, int count) {
    long[] values = new long[count];
    memory.view(address, count * 8L).asLongBuffer().get(values);
    return values;
  }

  private int[] numbersAt(long address, int count) {
    int[] values = new int[count];
    memory.view(address, count * 4L).asIntBuffer().get(values);
    return values;
  }

  /** Returns memory that is poisoned. */
  private long memory(long bytes) {
    long address = memory.allocate(bytes);
    ByteBuffer poison = ByteBuffer.allocate((int) bytes);
    Arrays.fill(poison.array(), (byte) 0xFF);
    memory.write(address, poison);
    return address;
  }

  private void launch(SortTask task, int outputs, Map<KernelParameter, Long> arguments) {
    emulate(task, task.generate().blocks(outputs), 1, arguments);
  }

  private void emulate(
      SortTask task, int blocks, int blocksY, Map<KernelParameter, Long> arguments) {
    GeneratedKernel kernel = task.generate();
    emulator.launch(
        PtxKernel.parse(kernel.ptx()),
        new LaunchShape(blocks, blocksY, kernel.threadsPerBlock(), 0),
        kernel.parameters().stream().mapToLong(arguments::get).toArray());
  }

  @Test
  void assembleWithoutSpills() {
    for (SortTask task : SortTask.values()) {
      GeneratedKernel kernel = task.generate();
      for (int architecture : new int[] {70, 80, 90}) {
        PtxAssembler.Report report = PtxAssembler.bundled(kernel.ptx(), architecture);
        assertThat(report.accepted()).as("%s: %s", kernel.entryName(), report.log()).isTrue();
        assertThat(report.spilledBytes()).as(kernel.entryName()).isZero();
        assertThat(report.sharedBytes())
            .as(kernel.entryName())
            .isEqualTo(kernel.staticSharedBytes());
      }
    }
  }

  @Test
  void rowsAreUnpackedWhereTheyBelong() {
    long[] memory = new Random(7).longs(200).toArray();
    int[] bits = {0, 1, 2, 4, 8, 16, 32, 64};
    int[] places = {0, 3, 1, 20, 7, 30, 90, 60};
    int[] rows = {130, 1, 70}; // of rows added together, of which the last begin at 131
    int all = 131 + 70;
    List<Long> lines = new ArrayList<>();
    int first = 0;
    for (int added = 0; added < rows.length; added++) {
      lines.add((long) rows[added] << 32 | first);
      for (int c = 0; c < bits.length; c++) {
        lines.add((long) (places[c] + added) << 8 | bits[c]);
        lines.add(base(c, added));
        lines.add(Double.doubleToRawLongBits(divisor(c, added)));
      }
      first += rows[added];
    }
    long output = memory(all * 8L * bits.length);
    emulate(
        SortTask.UNPACK,
        rows.length,
        bits.length,
        Map.of(
            KernelParameter.INPUT,
            words(memory),
            KernelParameter.ADDED,
            words(lines.stream().mapToLong(line -> line).toArray()),
            KernelParameter.OUTPUT,
            output,
            KernelParameter.ROWS,
            (long) all));
    for (int c = 0; c < bits.length; c++) {
      long[] expected = new long[all];
      int row = 0;
      for (int added = 0; added < rows.length; added++) {
        for (int i = 0; i < rows[added]; i++) {
          int bit = i * bits[c];
          long above = memory[places[c] + added + bit / 64] >>> bit % 64;
          long mask = bits[c] == 64 ? -1 : (1L << bits[c]) - 1;
          long integer = base(c, added) + (above & mask);
          double divisor = divisor(c, added);
          expected[row++] = divisor == 0 ? integer : Double.doubleToRawLongBits(integer / divisor);
        }
      }
      assertThat(wordsAt(output + c * 8L * all, all)).as("%d bits", bits[c]).isEqualTo(expected);
    }
  }

  private static double divisor(int column, int added) {
    return column % 3 == 0 && added != 1 ? 1e7 : 0;
  }

  private static long base(int column, int added) {
    return column == 7 ? 0 : (column - 3L) << 35 | added;
  }

  @Test
  void numbersOfFloatingPointNumbersAreOrderedAsTheyAre() {
    double[] values = {
      Double.NEGATIVE_INFINITY,
      -Float.MAX_VALUE,
      -2.5,
      -Float.MIN_VALUE,
      0.0,
      Float.MIN_VALUE,
      1,
      Double.POSITIVE_INFINITY,
      Double.NaN
    };
    long[] doubles = Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
    long[] floats =
        Arrays.stream(values)
            .mapToLong(v -> Float.floatToRawIntBits((float) v) & 0xFFFFFFFFL)
            .toArray();
    long[] numbers = numbers(SortTask.DOUBLE_NUMBERS, doubles);
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
    assertThat(numbers).startsWith(~0x7FF0000000000000L).contains(0L, Double.doubleToLongBits(1));
    assertThat(numbers(SortTask.FLOAT_NUMBERS, floats)).isEqualTo(numbers);
    long nan = Double.doubleToLongBits(Double.NaN);
    assertThat(numbers(SortTask.DOUBLE_NUMBERS, Long.MIN_VALUE, 0x7FF0000000000001L, -1))
        .containsExactly(0, nan, nan);
    assertThat(numbers(SortTask.FLOAT_NUMBERS, 0x80000000L, 0x7F800001L, 0xFFFFFFFFL))
        .containsExactly(0, nan, nan);
  }

  private long[] numbers(SortTask task, long... words) {
    long output = memory(words.length * 8L);
    launch(
        task,
        words.length,
        Map.of(
            KernelParameter.INPUT,
            words(words),
            KernelParameter.OUTPUT,
            output,
            KernelParameter.ROWS,
            (long) words.length));
    return wordsAt(output, words.length);
  }

  @Test
  void keysArePackedOneBehindTheOther() {
    Random random = new Random(1);
    int rows = 300;
    long[] high = random.longs(rows, -500, -500 + (1 << 9)).toArray();
    long[] low = random.longs(rows).toArray();
    long target = memory.allocate(rows * 8);
    pack(SortTask.PACK_FIRST, words(high), target, key(Form.LONG, false, -500, 9), rows);
    long[] shorts = Arrays.stream(high).map(v -> v & 0xFFFF).toArray();
    pack(SortTask.PACK_NEXT, words(shorts), target, key(Form.SHORT, true, -12, 10), rows);
    long[] expected = Arrays.stream(high).map(v -> (v + 500) << 10 | (~v + 12)).toArray();
    assertThat(wordsAt(target, rows)).isEqualTo(expected);
    Key wide = key(Form.LONG, false, Long.MIN_VALUE, 64);
    pack(SortTask.PACK_FIRST, words(low), target, wide, rows);
    assertThat(wordsAt(target, rows))
        .isEqualTo(Arrays.stream(low).map(v -> v - Long.MIN_VALUE).toArray());
  }

  private static Key key(Form form, boolean descending, long least, int bits) {
    return new Key(0, form, descending, least, bits);
  }

  private void pack(SortTask task, long column, long target, Key key, int rows) {
    launch(
        task,
        rows,
        Map.of(
            KernelParameter.INPUT,
            column,
            KernelParameter.OUTPUT,
            target,
            KernelParameter.LEAST,
            key.least(),
            KernelParameter.FLIPPED,
            key.descending() ? -1L : 0L,
            KernelParameter.KEY_BITS,
            (long) key.bits(),
            KernelParameter.UNUSED_BITS,
            key.form() == Form.SHORT ? 48L : 0L,
            KernelParameter.ROWS,
            (long) rows));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "4096, 8", "4097, 56", "9000, 3"})
  void rowsOfEachTileAreCounted(int rows, int shift) {
    int tiles = SortTask.tiles(rows);
    long[] words = new Random(2).longs(rows).map(word -> word & ~(7L << shift)).toArray();
    long counts = memory.allocate(tiles * 1024L);
    launch(
        SortTask.COUNT,
        rows,
        Map.of(
            KernelParameter.INPUT,
            words(words),
            KernelParameter.COUNTS,
            counts,
            KernelParameter.DIGIT_SHIFT,
            (long) shift,
            KernelParameter.ROWS,
            (long) rows));
    int[] expected = counts(words, shift);
    assertThat(numbersAt(counts, expected.length)).isEqualTo(expected);
  }

  private static int digit(long word, int shift) {
    return (int) (word >>> shift) & 255;
  }

  /** Counts by digit and tile. */
  private static int[] counts(long[] words, int shift) {
    int tiles = SortTask.tiles(words.length);
    int[] counts = new int[256 * tiles];
    for (int i = 0; i < words.length; i++) {
      counts[digit(words[i], shift) * tiles + i / SortTask.TILE_ROWS]++;
    }
    return counts;
  }

  private static int[] totals(int[] counts) {
    int tiles = counts.length / 256;
    return IntStream.range(0, 256)
        .map(d -> Arrays.stream(counts, d * tiles, (d + 1) * tiles).sum())
        .toArray();
  }

  /** Replaces counts by those before, digit by digit. */
  private static int[] scanned(int[] counts) {
    int tiles = counts.length / 256;
    int[] before = new int[counts.length];
    for (int i = 0; i < counts.length; i++) {
      before[i] = i % tiles == 0 ? 0 : before[i - 1] + counts[i - 1];
    }
    return before;
  }

  @ParameterizedTest
  @CsvSource({"1", "31", "256", "257", "600"})
  void countsAreScannedDigitByDigit(int tiles) {
    int[] values = new Random(3).ints(256 * tiles, 0, 4097).toArray();
    long counts = numbers(values);
    long totals = memory.allocate(1024);
    launch(
        SortTask.SCAN,
        256,
        Map.of(
            KernelParameter.COUNTS, counts,
            KernelParameter.TOTALS, totals,
            KernelParameter.TILES, (long) tiles));
    assertThat(numbersAt(totals, 256)).isEqualTo(totals(values));
    assertThat(numbersAt(counts, values.length)).isEqualTo(scanned(values));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 255",
    "31, 0",
    "4096, 255",
    "4097, 255",
    "9000, 255",
    "9000, 3",
    "5000, 0",
    "8191, 128"
  })
  void rowsAreScatteredByOneDigitAndKeepTheirOrder(int rows, long digits) {
    int shift = 40;
    long[] words =
        new Random(rows).longs(rows).map(w -> w & ~(255L << shift) | w & digits << shift).toArray();
    int[] before = new Random(4).ints(rows).toArray();
    long input = words(words);
    Integer[] order = IntStream.range(0, rows).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (a, b) -> digit(words[a], shift) - digit(words[b], shift));

    for (SortTask task : new SortTask[] {SortTask.SCATTER_FIRST, SortTask.SCATTER_NEXT}) {
      long output = memory.allocate(rows * 8L);
      long indexes = memory.allocate(rows * 4L);
      int[] counts = counts(words, shift);
      launch(
          task,
          rows,
          Map.of(
              KernelParameter.INPUT,
              input,
              KernelParameter.OUTPUT,
              output,
              KernelParameter.INPUT_INDEXES,
              numbers(before),
              KernelParameter.OUTPUT_INDEXES,
              indexes,
              KernelParameter.COUNTS,
              numbers(scanned(counts)),
              KernelParameter.TOTALS,
              numbers(totals(counts)),
              KernelParameter.DIGIT_SHIFT,
              (long) shift,
              KernelParameter.ROWS,
              (long) rows));
      boolean first = task == SortTask.SCATTER_FIRST;
      assertThat(wordsAt(output, rows))
          .isEqualTo(Arrays.stream(order).mapToLong(i -> words[i]).toArray());
      assertThat(numbersAt(indexes, rows))
          .isEqualTo(Arrays.stream(order).mapToInt(i -> first ? i : before[i]).toArray());
    }
  }

  @Test
  void aColumnIsGathered() {
    long[] column = new Random(5).longs(700).toArray();
    int[] indexes = new Random(6).ints(513, 0, 700).toArray();
    long output = memory.allocate(indexes.length * 8L);
    launch(
        SortTask.GATHER,
        indexes.length,
        Map.of(
            KernelParameter.INPUT,
            words(column),
            KernelParameter.OUTPUT,
            output,
            KernelParameter.INPUT_INDEXES,
            numbers(indexes),
            KernelParameter.ROWS,
            (long) indexes.length));
    assertThat(wordsAt(output, indexes.length))
        .isEqualTo(Arrays.stream(indexes).mapToLong(i -> column[i]).toArray());
  }
}
