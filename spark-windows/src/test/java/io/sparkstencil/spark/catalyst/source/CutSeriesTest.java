/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Series are cut where ranges get about as many rows each. */
final class CutSeriesTest {
  private static KeySample sample(long rows, LongStream numbers) {
    long[] all = numbers.toArray();
    return new KeySample(List.of(1L), rows, all, rows / all.length);
  }

  @ParameterizedTest
  @CsvSource({"8, 4", "16, 100", "3, 1", "48, 8"})
  void rangesAreEven(int ranges, int reach) {
    long[] numbers = new Random(ranges).longs(100_000).toArray();
    List<KeySample> parts =
        List.of(
            sample(70_000, Arrays.stream(numbers, 0, 70_000).filter(n -> n % 8 == 0)),
            sample(30_000, Arrays.stream(numbers, 70_000, 100_000)));
    CutSeries cut = CutSeries.of(parts, ranges, reach);
    long[] rows = new long[cut.strips()];
    Arrays.stream(numbers).forEach(number -> rows[cut.strip(number)]++);
    assertThat(cut.ranges()).isEqualTo(ranges);
    assertThat(cut.cuts()).isSorted();
    long fair = 100_000 / ranges;
    for (int range = 0; range < ranges; range++) {
      int from = cut.starts()[range];
      assertThat(Arrays.stream(rows, from, cut.end(range)).sum()).isBetween(fair / 2, fair * 2);
      if (range > 0) {
        assertThat(rows[from]).isLessThan(fair / 2).isGreaterThanOrEqualTo(reach / 2);
      }
    }
  }

  @Test
  void rangesAreFewerForWideFramesAndFewNumbers() {
    KeySample even = sample(1000, LongStream.range(0, 1000));
    assertThat(CutSeries.of(List.of(even), 16, 50).ranges()).isEqualTo(2);
    assertThat(CutSeries.of(List.of(even), 16, 500).ranges()).isEqualTo(1);
    KeySample few = sample(1000, LongStream.range(0, 1000).map(n -> n / 500));
    CutSeries cut = CutSeries.of(List.of(few), 16, 1);
    assertThat(cut.strip(0)).isLessThan(cut.strip(1));
    assertThat(cut.ranges()).isLessThanOrEqualTo(3);
  }

  @Test
  void rowsWithOneNumberAreInOneStrip() {
    CutSeries cut = new CutSeries(List.of(1L), new long[] {-5, 0, 7}, new int[] {0, 2});
    assertThat(LongStream.of(Long.MIN_VALUE, -6, -5, -1, 0, 6, 7, Long.MAX_VALUE).map(cut::strip))
        .containsExactly(0L, 0L, 1L, 1L, 2L, 2L, 3L, 3L);
    assertThat(cut.end(0)).isEqualTo(2);
    assertThat(cut.end(1)).isEqualTo(4);
  }

  @Test
  void skewedPartitionsHaveMoreThanTheirShare() {
    long[] bytes = {100, 900, 0, 100, 120};
    assertThat(SkewedSeries.skewed(bytes, 4, 50)).containsExactly(1);
    assertThat(SkewedSeries.skewed(bytes, 1, 500)).isEmpty();
    assertThat(SkewedSeries.skewed(bytes, 1, 112)).containsExactly(1); // too large for a task
    assertThat(SkewedSeries.skewed(bytes, 4, 1000)).isEmpty();
  }

  @Test
  void seriesOfOneNumberAreNotCut() {
    KeySample same = sample(1000, LongStream.generate(() -> 7).limit(1000));
    assertThat(CutSeries.of(List.of(same), 16, 1).ranges()).isEqualTo(1);
    KeySample few = sample(1000, LongStream.range(0, 1000).map(n -> n < 900 ? 7 : n));
    CutSeries cut = CutSeries.of(List.of(few), 2, 1);
    assertThat(cut.strip(Long.MIN_VALUE)).isEqualTo(cut.strip(7));
  }

  /** A terabyte in skewed partitions, of which the driver hears. */
  @Test
  void slicesAndSamplesAndRangesAreNotTooMany() {
    long[] bytes = LongStream.generate(() -> 5L << 30).limit(200).toArray();
    int[] partitions = IntStream.range(0, 200).toArray();
    List<SkewedSeries.Slice> slices = SkewedSeries.slices(bytes, partitions, 10_000, 512);
    assertThat(slices).hasSize(200 * 80);
    assertThat((long) slices.size() * SkewedSeries.samples(slices.size())).isLessThan(1L << 22);
    long all = LongStream.of(bytes).sum();
    assertThat(all / SkewedSeries.leastRange(all, 512)).isLessThan(1100);
    assertThat(SkewedSeries.slices(bytes, partitions, 3, 512)).hasSize(200 * 3);
    assertThat(SkewedSeries.slices(bytes, partitions, 1, 512)).hasSize(200);
  }

  @Test
  void allCoresReadAsMuchOfSkewedPartitions() {
    long[] bytes = {1L << 20, 0, 3L << 20, 9};
    List<SkewedSeries.Slice> slices = SkewedSeries.slices(bytes, new int[] {0, 2}, 50, 4);
    assertThat(slices).extracting(SkewedSeries.Slice::partition).startsWith(0, 0, 2).hasSize(8);
    assertThat(slices.get(0)).isEqualTo(new SkewedSeries.Slice(0, 0, 25, 1L << 19));
    assertThat(slices.get(7).until()).isEqualTo(50);
    assertThat(SkewedSeries.samples(slices.size())).isEqualTo(1 << 14);
  }

  @Test
  void rowsOfStripsAreAdded() {
    long[] all = {1, 0, 0};
    StripRows.of(new long[] {0, 5, 0}).addTo(all);
    StripRows.of(new long[] {2, 4, 0}).addTo(all);
    StripRows.of(new long[] {0, 0, 0}).addTo(all);
    assertThat(all).containsExactly(3, 9, 0);
  }
}
