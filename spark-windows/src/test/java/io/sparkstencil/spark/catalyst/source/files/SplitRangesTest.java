/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.source.files.SplitRanges.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.Partition;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.junit.jupiter.api.Test;

/** Which splits go to which partition, by the keys in them. */
final class SplitRangesTest {
  private static final long BYTES = 100;

  private static Described split(String name, long least, long greatest) {
    return split(name, 10, least, greatest);
  }

  private static Described split(String name, long rows, long least, long greatest) {
    return new Described(
        file(name), Optional.of(new KeyStatistics(rows, rows * BYTES / 10, least, greatest, 1)));
  }

  static PartitionedFile file(String name) {
    return new PartitionedFile(
        InternalRow.empty(),
        SparkPath.fromPathString("/table/" + name),
        0,
        BYTES,
        new String[0],
        0,
        BYTES,
        ScalaInterop.map(Map.of()));
  }

  private static List<String> arranged(boolean ascending, long mostBytes, Described... splits) {
    List<String> names = new ArrayList<>();
    for (Partition each :
        SplitRanges.arranged(List.of(splits), ascending, mostBytes, 0).orElse(new Partition[0])) {
      assertThat(each.index()).isEqualTo(names.size());
      List<String> own = new ArrayList<>();
      for (PartitionedFile file : ((FilePartition) each).files()) {
        own.add(file.toPath().getName());
      }
      names.add(String.join("+", own));
    }
    return names;
  }

  @Test
  void splitsComeInTheOrderOfTheirKeys() {
    Described[] splits = {split("c", 20, 29), split("a", -5, 9), split("b", 10, 19)};
    assertThat(arranged(true, BYTES, splits)).containsExactly("a", "b", "c");
    assertThat(arranged(false, BYTES, splits)).containsExactly("c", "b", "a");
  }

  @Test
  void splitsThatOverlapOrShareAKeyStayTogether() {
    assertThat(arranged(true, 2 * BYTES, split("a", 0, 10), split("b", 10, 19), split("c", 20, 20)))
        .containsExactly("a+b", "c");
    // What is within another reaches no further than that.
    assertThat(
            arranged(
                true,
                2 * BYTES,
                split("a", 0, 30),
                split("b", 5, 6),
                split("c", 29, 40),
                split("d", 41, 50),
                split("e", 51, 51)))
        .containsExactly("a+b+c", "d+e");
  }

  @Test
  void partitionsAreFilledAsSparkWouldFillThem() {
    assertThat(
            arranged(
                true,
                2 * BYTES + 1,
                split("a", 0, 1),
                split("b", 2, 3),
                split("c", 4, 5),
                split("d", 6, 7),
                split("e", 8, 9)))
        .containsExactly("a+b", "c+d", "e");
  }

  @Test
  void splitsWithoutRowsAreNotRead() {
    Described none = split("b", 0, Long.MAX_VALUE, Long.MIN_VALUE);
    assertThat(arranged(true, BYTES, split("c", 7, 8), none, split("a", 1, 2)))
        .containsExactly("a", "c");
    assertThat(SplitRanges.arranged(List.of(none), true, BYTES, 0)).isEmpty();
  }

  @Test
  void theLeastAndGreatestKeysAreKeysLikeOthers() {
    assertThat(arranged(true, BYTES, split("b", 0, Long.MAX_VALUE), split("a", Long.MIN_VALUE, -1)))
        .containsExactly("a", "b");
  }

  @Test
  void oneSplitThatIsNotKnownIsEnoughToShuffle() {
    Described unknown = new Described(file("b"), Optional.empty());
    assertThat(SplitRanges.arranged(List.of(split("a", 0, 1), unknown), true, BYTES, 0)).isEmpty();
  }

  @Test
  void filesCostWhatItTakesToOpenThem() {
    Described[] splits = {split("a", 0, 1), split("b", 2, 3), split("c", 4, 5)};
    assertThat(SplitRanges.arranged(List.of(splits), true, 2 * (BYTES + 7), 7).orElseThrow())
        .hasSize(2);
    assertThat(SplitRanges.arranged(List.of(splits), true, 2 * (BYTES + 7) - 1, 7).orElseThrow())
        .hasSize(3);
  }

  /** Of a file with a single row group, one split has all rows. */
  @Test
  void aSplitWeighsAsMuchAsItsRowGroups() {
    Described all = split("a", 80, 0, 1);
    assertThat(SplitRanges.arranged(List.of(all), true, BYTES, 0)).isEmpty();
    assertThat(arranged(true, 8 * BYTES, all)).containsExactly("a");
  }

  @Test
  void splitsThatWouldAllGoToOneTaskAreShuffled() {
    Described[] splits = {split("a", 0, 10), split("b", 10, 20), split("c", 20, 30)};
    assertThat(SplitRanges.arranged(List.of(splits), true, 2 * BYTES - 1, 0)).isEmpty();
    assertThat(arranged(true, 2 * BYTES, splits)).containsExactly("a+b+c");
  }
}
