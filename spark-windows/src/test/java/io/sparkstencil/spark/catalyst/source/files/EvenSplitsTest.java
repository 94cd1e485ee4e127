/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.junit.jupiter.api.Test;

/** Splits of files are spread so that all cores end at about the same time. */
final class EvenSplitsTest {
  private static final int CORES = 4;
  private static final long OPEN_COST = 4;
  private static final long MOST_BYTES = 1000;

  /** Returns partitions of splits of these lengths. */
  private static List<FilePartition> partitions(long[]... lengths) {
    List<FilePartition> made = new ArrayList<>();
    int next = 0;
    for (long[] each : lengths) {
      PartitionedFile[] files = new PartitionedFile[each.length];
      for (int i = 0; i < files.length; i++) {
        SparkPath path = SparkPath.fromPathString("/table/part-%03d".formatted(next++));
        files[i] =
            new PartitionedFile(
                InternalRow.empty(),
                path,
                0,
                each[i],
                new String[0],
                0,
                each[i],
                ScalaInterop.map(Map.of()));
      }
      made.add(new FilePartition(made.size(), files));
    }
    return made;
  }

  private static List<FilePartition> arranged(List<FilePartition> planned) {
    return EvenSplits.arranged(planned, CORES, OPEN_COST, MOST_BYTES);
  }

  private static List<Long> bytes(List<FilePartition> partitions) {
    return partitions.stream()
        .map(each -> Arrays.stream(each.files()).mapToLong(PartitionedFile::length).sum())
        .toList();
  }

  private static Stream<String> names(List<FilePartition> partitions) {
    return partitions.stream()
        .flatMap(each -> Arrays.stream(each.files()))
        .map(file -> file.toPath().getName());
  }

  @Test
  void onePartitionMoreThanCoresIsSharedAmongThem() {
    long[] three = {100, 100, 100};
    List<FilePartition> planned =
        partitions(three, three, three, three, new long[] {90, 90, 90, 90});
    List<FilePartition> even = arranged(planned);
    assertThat(bytes(even)).containsExactly(390L, 390L, 390L, 390L);
    assertThat(even).extracting(FilePartition::index).containsExactly(0, 1, 2, 3);
    assertThat(names(even)).containsExactlyInAnyOrderElementsOf(names(planned).toList());
    for (FilePartition each : even) {
      assertThat(names(List.of(each))).isSorted();
    }
  }

  @Test
  void aLongPartitionIsSharedWithIdleCores() {
    List<FilePartition> planned = partitions(new long[] {50, 50, 50, 50}, new long[] {60});
    assertThat(bytes(arranged(planned))).containsExactly(100L, 60L, 50L, 50L);
  }

  @Test
  void smallerPartitionsWhereLargerOnesWouldExceedTheMost() {
    long[] two = {400, 400};
    List<FilePartition> planned = partitions(two, two, two, two, two);
    List<FilePartition> even = arranged(planned);
    assertThat(even).hasSize(8);
    assertThat(bytes(even).get(0)).isEqualTo(800L);
  }

  @Test
  void whatIsEvenStays() {
    long[] one = {100};
    for (int count : new int[] {1, 3, 4, 8, 12}) {
      List<FilePartition> planned =
          partitions(IntStream.range(0, count).mapToObj(i -> one).toArray(long[][]::new));
      assertThat(arranged(planned)).isSameAs(planned);
    }
  }

  @Test
  void splitsThatAreNotToBeSharedStay() {
    List<FilePartition> planned = partitions(new long[] {900}, new long[] {10}, new long[] {20});
    assertThat(arranged(planned)).isSameAs(planned);
    assertThat(arranged(List.of())).isEmpty();
  }

  @Test
  void manyPartitionsStay() {
    long[] one = {100, 100};
    List<FilePartition> planned =
        partitions(IntStream.range(0, 33).mapToObj(i -> one).toArray(long[][]::new));
    assertThat(arranged(planned)).isSameAs(planned);
  }
}
