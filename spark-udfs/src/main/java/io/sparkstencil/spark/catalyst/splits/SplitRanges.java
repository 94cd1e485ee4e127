/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.splits;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.splits.FileOrder.Group;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.Partition;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.ThreadUtils;
import org.apache.spark.util.Utils;
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
  private static final System.Logger LOG = System.getLogger(SplitRanges.class.getName());

  /** Footers that the driver reads sooner than tasks would have started. */
  private static final int SOME_FOOTERS = 64;

  private static final int FOOTERS_AT_A_TIME = 8;

  /** Footers that a task reads, about. */
  private static final int FOOTERS_PER_TASK = 8;

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
    List<Described> described = describe(source.get(), List.of(), FileOrder.splits(planned.get()));
    boolean ascending = order.apply(0).direction() == Ascending$.MODULE$;
    long openCost = source.get().scan().conf().filesOpenCostInBytes();
    return arranged(described, ascending, FileOrder.heaviest(planned.get(), openCost), openCost);
  }

  /**
   * Reads the footers of splits: of some on the driver, of many as a job.
   *
   * @param keys the columns by which series are told apart
   */
  static List<Described> describe(
      KeyColumn.Source source, List<KeyColumn> keys, List<PartitionedFile> splits) {
    KeyColumn column = source.column();
    Configuration hadoop = hadoop(source);
    if (splits.size() <= SOME_FOOTERS) {
      return ScalaInterop.list(
          ThreadUtils.parmap(
              ScalaInterop.seq(splits),
              "spark-stencil-footers",
              FOOTERS_AT_A_TIME,
              split -> described(split, read(split, column, keys, hadoop))));
    }
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(source.scan().session().sparkContext());
    Broadcast<SerializableConfiguration> settings =
        context.broadcast(new SerializableConfiguration(hadoop));
    int tasks = Math.max(context.defaultParallelism(), splits.size() / FOOTERS_PER_TASK);
    ArrayList<PartitionedFile> all = new ArrayList<>(splits);
    List<Integer> numbers = IntStream.range(0, all.size()).boxed().toList();
    // Numbers and bytes are known to Kryo also where classes have to be registered.
    List<byte[]> found =
        context
            .parallelize(numbers, Math.min(splits.size(), tasks))
            .map(i -> Utils.serialize(read(all.get(i), column, keys, settings.value().value())))
            .collect();
    List<Described> described = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      described.add(described(all.get(i), Utils.<KeyStatistics>deserialize(found.get(i))));
    }
    return described;
  }

  private static Described described(PartitionedFile split, KeyStatistics keys) {
    return new Described(split, Optional.ofNullable(keys));
  }

  private static Configuration hadoop(KeyColumn.Source source) {
    return source
        .scan()
        .session()
        .sessionState()
        .newHadoopConfWithOptions(source.scan().relation().options());
  }

  /** Tells whether the keys of two splits are known and do not overlap. Reads their footers. */
  static boolean lieApart(KeyColumn.Source source, PartitionedFile one, PartitionedFile other) {
    Configuration hadoop = hadoop(source);
    KeyStatistics first = read(one, source.column(), List.of(), hadoop);
    KeyStatistics second = first == null ? null : read(other, source.column(), List.of(), hadoop);
    return second != null
        && (first.greatest() < second.least() || second.greatest() < first.least());
  }

  /** Returns null if the footer does not say enough, or cannot be read: the scan will say why. */
  private static KeyStatistics read(
      PartitionedFile split, KeyColumn column, List<KeyColumn> keys, Configuration hadoop) {
    try {
      return KeyStatistics.read(split, column, keys, hadoop).orElse(null);
    } catch (IOException | RuntimeException e) {
      LOG.log(
          System.Logger.Level.DEBUG, () -> "the footer of %s is not used: %s".formatted(split, e));
      return null;
    }
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
