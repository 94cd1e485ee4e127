/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are sorted stably, however few or many runs they consist of. */
final class PrefixSortTest {
  private static long[] sorted(long[] keys) {
    PrefixSort sort = new PrefixSort(keys.length);
    for (int i = 0; i < keys.length; i++) {
      sort.add(keys[i], i);
    }
    sort.sort(null);
    long[] sorted = LongStream.range(0, keys.length).map(i -> sort.value((int) i)).toArray();
    int[] places = new int[keys.length];
    sort.clear();
    sort.addAll(keys, 0, keys.length);
    sort.sort(null);
    sort.copyValues(places, 0);
    assertThat(places).isEqualTo(LongStream.of(sorted).mapToInt(place -> (int) place).toArray());
    return sorted;
  }

  private static long[] expected(long[] keys) {
    return IntStream.range(0, keys.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> keys[i]))
        .mapToLong(i -> i)
        .toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "1, 1",
    "2, 5",
    "24, 9",
    "25, 3",
    "1000, 1000000",
    "1000, 7",
    "5000, 70000",
    "3000, 9223372036854775807"
  })
  void randomNumbers(int count, long bound) {
    Random random = new Random(count);
    for (int round = 0; round < 20; round++) {
      long[] keys = random.longs(count, -bound, bound).toArray();
      assertThat(sorted(keys)).isEqualTo(expected(keys));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 13, 100})
  void runsOfAnyNumber(int runs) {
    Random random = new Random(runs);
    long[] keys = new long[4000];
    for (int run = 0; run < runs; run++) {
      int from = run * keys.length / runs;
      int until = (run + 1) * keys.length / runs;
      long[] ascending = random.longs(until - from, -1L << 40, 1L << 40).sorted().toArray();
      System.arraycopy(ascending, 0, keys, from, ascending.length);
    }
    assertThat(sorted(keys)).isEqualTo(expected(keys));
  }

  @ParameterizedTest
  @CsvSource({"64, 0", "1000, 50", "9000, 4000"})
  void microsecondsOfWholeSecondsAndRangesOfAllWidths(int count, int ties) {
    Random random = new Random(count);
    long[] seconds = random.longs(count, 0, 400_000_000).map(s -> s * 1_000_000).toArray();
    assertThat(sorted(seconds)).isEqualTo(expected(seconds));
    for (int bits = 1; bits < Long.SIZE; bits++) {
      int shift = Long.SIZE - bits;
      long[] keys = random.longs(count).map(key -> (key >> shift) | 1).toArray();
      for (int tie = 0; tie < ties; tie++) {
        keys[random.nextInt(count)] = keys[random.nextInt(count)];
      }
      assertThat(sorted(keys)).as("%d bits", bits).isEqualTo(expected(keys));
    }
  }

  /** Times at regular intervals, of which one of so many is missing or there twice. */
  @ParameterizedTest
  @CsvSource({"25, 0, 0", "1000, 0, 0", "1000, 3, 0", "1000, 2, 0", "1000, 0, 500", "5000, 4, 9"})
  void regularTimesWithGapsAndTies(int count, int missing, int tied) {
    for (int round = 0; round < 20; round++) {
      Random random = new Random(round);
      List<Long> times = new ArrayList<>();
      for (long i = -round; times.size() < count; i++) {
        if (missing == 0 || random.nextInt(missing) > 0) {
          times.add(i * 1_800_000_000L);
        }
        if (tied > 0 && times.size() < count && random.nextInt(tied) == 0) {
          times.add(i * 1_800_000_000L);
        }
      }
      Collections.shuffle(times, random);
      long[] keys = times.stream().mapToLong(time -> time).toArray();
      assertThat(sorted(keys)).isEqualTo(expected(keys));
    }
  }

  @ParameterizedTest
  @CsvSource({"16, 1, 100000", "64, 8, 100000", "200, 3, 100000", "100, 5, 400", "20, 2, 20"})
  void filesReadInTurnsMakeRunsThatOverlap(int files, int readers, int bound) {
    Random random = new Random(files);
    List<List<Long>> parts = new ArrayList<>();
    long[] all = random.longs(20_000, 0, bound).sorted().boxed().mapToLong(k -> k).toArray();
    for (int file = 0; file < files; file++) {
      int from = file * all.length / files;
      int until = (file + 1) * all.length / files;
      parts.add(Arrays.stream(all, from, until).boxed().toList());
    }
    Collections.shuffle(parts, random);
    long[] keys =
        IntStream.range(0, readers)
            .boxed()
            .flatMap(
                reader ->
                    IntStream.range(0, files)
                        .filter(file -> file % readers == reader)
                        .mapToObj(parts::get)
                        .flatMap(List::stream))
            .mapToLong(Long::longValue)
            .toArray();
    assertThat(sorted(keys)).isEqualTo(expected(keys));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 20, 1000})
  void equalNumbersGoByTheirValues(int count) {
    PrefixSort sort = new PrefixSort(count);
    long[] values = new Random(count).longs(count, 0, count).toArray();
    for (int i = 0; i < count; i++) {
      sort.add(values[i] % 3, values[i]);
    }
    sort.sort((a, b) -> Long.compare(b, a));
    long[] expected =
        Arrays.stream(values)
            .boxed()
            .sorted(
                Comparator.<Long>comparingLong(v -> v % 3).thenComparing(Comparator.reverseOrder()))
            .mapToLong(Long::longValue)
            .toArray();
    long[] found = LongStream.range(0, count).map(i -> sort.value((int) i)).toArray();
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void valuesOfAnyKindInASorterThatIsUsedAgain(boolean ties) {
    int count = 1000;
    long[] keys = new Random(5).longs(count, 0, 100).toArray();
    PrefixSort sort = new PrefixSort(count);
    List<LongUnaryOperator> kinds = List.of(i -> i + 5, i -> 3 * i, i -> i, i -> -i, i -> i / 2);
    for (LongUnaryOperator kind : kinds) {
      sort.clear();
      for (int i = 0; i < count; i++) {
        sort.add(keys[i], kind.applyAsLong(i));
      }
      sort.sort(ties ? (a, b) -> Long.compare(b, a) : null);
      Comparator<Integer> order = Comparator.comparingLong(i -> keys[i]);
      Comparator<Integer> whole = ties ? order.thenComparingLong(i -> -kind.applyAsLong(i)) : order;
      assertThat(LongStream.range(0, count).map(i -> sort.value((int) i)).toArray())
          .isEqualTo(
              IntStream.range(0, count)
                  .boxed()
                  .sorted(whole)
                  .mapToLong(i -> kind.applyAsLong(i))
                  .toArray());
    }
  }
}
