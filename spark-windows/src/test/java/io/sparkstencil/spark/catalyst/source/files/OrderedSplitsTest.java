/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.source.files.SplitRanges.Described;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Splits of a table in order, in partitions that keep all cores busy. */
final class OrderedSplitsTest {
  private static final long BYTES = 100;

  /** A split with ten keys from ten times its number on. */
  private static Described split(int number) {
    return split(number, 10L * number, 10L * number + 9);
  }

  private static Described split(int number, long least, long greatest) {
    PartitionedFile file = SplitRangesTest.file("" + number);
    return new Described(file, Optional.of(new KeyStatistics(10, BYTES, least, greatest, number)));
  }

  private static List<FilePartition> planned(List<Described> splits, int ofPartition) {
    return IntStream.range(0, (splits.size() + ofPartition - 1) / ofPartition)
        .mapToObj(
            i ->
                new FilePartition(
                    i,
                    splits.stream()
                        .skip((long) i * ofPartition)
                        .limit(ofPartition)
                        .map(Described::split)
                        .toArray(PartitionedFile[]::new)))
        .toList();
  }

  private static List<Integer> sizes(OrderedSplits found) {
    return Stream.of(found.partitions())
        .map(each -> ((FilePartition) each).files().length)
        .toList();
  }

  @Test
  void neighboursShareAPartition() {
    List<Described> splits = Stream.of(5, 0, 3, 1, 4, 2).map(OrderedSplitsTest::split).toList();

    OrderedSplits found = OrderedSplits.arranged(splits, planned(splits, 2), 3, 0).get();

    assertThat(found.rows()).isEqualTo(60);
    assertThat(found.series()).isEqualTo(5);
    assertThat(
            Stream.of(found.partitions())
                .flatMap(each -> Stream.of(((FilePartition) each).files()))
                .map(file -> file.toPath().getName()))
        .containsExactly("0", "1", "2", "3", "4", "5");
  }

  @ParameterizedTest
  @CsvSource({"32, 2, 16, 2", "19, 1, 16, 2", "64, 1, 16, 1", "8, 4, 4, 2"})
  void allCoresGetAsMuch(int splits, int ofPartition, int cores, int most) {
    List<Described> all = IntStream.range(0, splits).mapToObj(OrderedSplitsTest::split).toList();

    OrderedSplits found = OrderedSplits.arranged(all, planned(all, ofPartition), cores, 0).get();

    assertThat(sizes(found)).allMatch(size -> size <= most);
  }

  @Test
  void splitsThatOverlapAreNotEven() {
    List<Described> splits =
        List.of(split(0, 0, 25), split(1, 20, 45), split(2, 40, 65), split(3, 60, 85), split(9));

    assertThat(OrderedSplits.arranged(splits, planned(splits, 1), 4, 0)).isEmpty();
  }

  @Test
  void oneFooterThatSaysNothingIsEnough() {
    List<Described> splits =
        List.of(split(0), new Described(split(1).split(), Optional.empty()), split(2));

    assertThat(OrderedSplits.arranged(splits, planned(splits, 1), 2, 0)).isEmpty();
  }
}
