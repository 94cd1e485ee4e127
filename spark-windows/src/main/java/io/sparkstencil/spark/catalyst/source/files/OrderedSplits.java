/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.source.files.FileOrder.Group;
import io.sparkstencil.spark.catalyst.source.files.SplitRanges.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.Partition;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/**
 * The splits of a table's files, in partitions none of which overlaps another in the order of a
 * window, and of which all cores get about as much.
 *
 * @param partitions what tasks read
 * @param rows of all of them
 * @param series how many series a row group has at most, about
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OrderedSplits(Partition[] partitions, long rows, long series) {
  /** How much longer than with the partitions that Spark has planned tasks may take. */
  private static final double MOST_OF_PLANNED = 1.2;

  /**
   * Arranges the splits that a plan over columns reads. Reads the footers.
   *
   * @param order the first column of the order
   * @param keys those by which series are told apart
   * @return empty if the rows do not come from files, the footers do not say enough, or splits
   *     overlap so much that one task would have far more than others
   */
  public static Optional<OrderedSplits> of(SparkPlan plan, Attribute order, List<Attribute> keys) {
    Optional<KeyColumn.Source> source = KeyColumn.of(plan, order);
    if (source.isEmpty()) {
      return Optional.empty(); // before anything below the plan runs
    }
    Optional<List<FilePartition>> planned = FileOrder.planned(plan.executeColumnar());
    if (planned.isEmpty()) {
      return Optional.empty();
    }
    List<KeyColumn> columns = new ArrayList<>();
    for (Attribute key : keys) {
      KeyColumn.of(plan, key).ifPresent(each -> columns.add(each.column()));
    }
    List<PartitionedFile> splits = FileOrder.splits(planned.get());
    Footers footers = new Footers(source.get(), columns);
    if (columns.size() < keys.size()
        || splits.size() < 2
        // Two say enough where rows come at random.
        || !footers.lieApart(splits.get(0), splits.get(splits.size() - 1))) {
      return Optional.empty();
    }
    return arranged(
        footers.describe(splits),
        planned.get(),
        plan.sparkContext().defaultParallelism(),
        source.get().scan().conf().filesOpenCostInBytes());
  }

  /**
   * Arranges splits.
   *
   * @param planned the partitions as Spark has planned them
   * @param cores tasks that run at a time
   * @param openCost what it costs to open a file, in bytes
   */
  static Optional<OrderedSplits> arranged(
      List<Described> described, List<FilePartition> planned, int cores, long openCost) {
    List<Group> groups = SplitRanges.groups(described, openCost).orElse(List.of());
    long[] before = planned.stream().mapToLong(each -> FileOrder.weight(each, openCost)).toArray();
    double least = MOST_OF_PLANNED * EvenSplits.time(before, cores);
    Partition[] best = null;
    int turns = planned.size() / cores;
    for (int count = turns * cores; count <= (turns + 2) * cores; count += cores) {
      Partition[] packed = packed(groups, count);
      long[] weights =
          Stream.of(packed)
              .mapToLong(each -> FileOrder.weight((FilePartition) each, openCost))
              .toArray();
      long time = EvenSplits.time(weights, cores);
      if (packed.length > 1 && time < least) {
        least = time;
        best = packed;
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    List<KeyStatistics> all = described.stream().map(each -> each.keys().get()).toList();
    return Optional.of(
        new OrderedSplits(
            best,
            all.stream().mapToLong(KeyStatistics::rows).sum(),
            all.stream().mapToLong(KeyStatistics::series).max().getAsLong()));
  }

  /**
   * Packs consecutive groups into at most {@code count} partitions, the heaviest as light as can
   * be.
   */
  private static Partition[] packed(List<Group> groups, int count) {
    long light = 0; // too light
    long heavy = groups.stream().mapToLong(Group::weight).sum();
    while (heavy - light > 1) {
      long most = (light + heavy) / 2;
      if (count > 0 && FileOrder.packed(groups, most).length <= count) {
        heavy = most;
      } else {
        light = most;
      }
    }
    return FileOrder.packed(groups, heavy);
  }
}
