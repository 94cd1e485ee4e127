/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.source.files.FileOrder.Group;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.Partition;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import scala.collection.immutable.Seq;

/**
 * Finds out whether the splits of a table's files can be grouped so that all keys of a group come
 * before those of the next, as they can where rows were written as time went by. Rows then need no
 * shuffle: each task reads a few groups, and puts them in order.
 *
 * <p>The statistics in the footers of Parquet files tell; Spark trusts the same where it leaves row
 * groups out for a filter.
 */
public final class SplitRanges {
  /** How much a task may read, compared with the largest that Spark has planned. */
  private static final double MOST_OF_PLANNED = 1.5;

  private SplitRanges() {}

  /**
   * A split, and what its footer says of the keys in it.
   *
   * @param split the split
   * @param keys nothing if the footer does not say enough
   */
  record Described(PartitionedFile split, Optional<KeyStatistics> keys) {}

  /**
   * Returns partitions of the files that a plan's rows come from, in order: keys that are equal lie
   * in one partition. Reads the footers.
   *
   * @return empty if the rows do not come from files, the footers do not say enough, or splits
   *     overlap so much that one task would have far more than others
   */
  public static Optional<Partition[]> of(SparkPlan plan, Seq<SortOrder> order) {
    Optional<KeyColumn.Source> source = KeyColumn.of(plan, order.apply(0).child());
    if (source.isEmpty()) {
      return Optional.empty();
    }
    Optional<List<FilePartition>> planned = FileOrder.planned(plan.execute());
    if (planned.isEmpty()) {
      return Optional.empty();
    }
    List<Described> described =
        new Footers(source.get(), List.of()).describe(FileOrder.splits(planned.get()));
    boolean ascending = order.apply(0).direction() == Ascending$.MODULE$;
    long openCost = source.get().scan().conf().filesOpenCostInBytes();
    return arranged(described, ascending, FileOrder.heaviest(planned.get(), openCost), openCost);
  }

  /**
   * Returns the splits in partitions by their keys.
   *
   * @param most the weight of the heaviest partition as Spark has planned them
   * @param openCost what it costs to open a file, in bytes
   */
  static Optional<Partition[]> arranged(
      List<Described> described, boolean ascending, long most, long openCost) {
    List<Group> groups = groups(described, openCost).orElse(List.of());
    if (groups.isEmpty()
        || groups.stream().anyMatch(each -> each.weight() > MOST_OF_PLANNED * most)) {
      return Optional.empty();
    }
    if (!ascending) {
      Collections.reverse(groups);
    }
    return Optional.of(FileOrder.packed(groups, most));
  }

  /**
   * Returns the splits in groups none of which overlaps another, in the order of their keys; empty
   * if footers do not say enough.
   *
   * @param openCost what it costs to open a file, in bytes
   */
  static Optional<List<Group>> groups(List<Described> described, long openCost) {
    if (described.stream().anyMatch(each -> each.keys().isEmpty())) {
      return Optional.empty();
    }
    List<Described> sorted =
        described.stream()
            .filter(each -> each.keys().get().rows() > 0)
            .sorted(Comparator.comparingLong(each -> each.keys().get().least()))
            .toList();
    List<Group> groups = new ArrayList<>();
    int next = 0;
    while (next < sorted.size()) {
      List<PartitionedFile> splits = new ArrayList<>();
      long greatest = Long.MIN_VALUE;
      long weight = 0;
      while (next < sorted.size()
          && (splits.isEmpty() || sorted.get(next).keys().get().least() <= greatest)) {
        KeyStatistics keys = sorted.get(next).keys().get();
        splits.add(sorted.get(next).split());
        greatest = Math.max(greatest, keys.greatest());
        // A split has the row groups whose middle lies in it, which may be far more than itself.
        weight += keys.bytes() + openCost;
        next++;
      }
      groups.add(new Group(splits, weight));
    }
    return Optional.of(groups);
  }
}
