/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.GroupTask;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.ShuffledRowRDD;
import org.apache.spark.sql.internal.SQLConf;
import scala.reflect.ClassTag;

/**
 * A shuffle of ours after its map stage: partitions are joined to units, which are put in order one
 * by one, and units to groups, which are the work of a task.
 *
 * @param rdd the shuffled batches of each unit
 * @param layout the rows in them
 * @param units consecutive partitions each
 * @param groups consecutive units each
 * @param bytes the bytes that were shuffled
 */
public record ShuffledUnits(
    ShuffledRowRDD rdd, RowLayout layout, List<Run> units, List<Run> groups, long bytes) {
  /** Bytes from which it pays to start a task. */
  private static final long LEAST_BYTES = 1L << 20;

  /** The parts of a core's work that the last tasks are not smaller than. */
  private static final long LAST_SHARES = 6;

  /** Consecutive parts {@code [from, until)} that are read as one. */
  public record Run(int from, int until, long bytes) {
    ShufflePartitionSpec spec() {
      return new CoalescedPartitionSpec(from, until, scala.Option.<Object>apply(bytes));
    }
  }

  /**
   * Runs the map stage, and joins all partitions.
   *
   * @param layout the rows, which are shuffled in batches
   * @param unitBytes bytes up to which partitions are joined to a unit
   * @param groupBytes bytes up to which units are joined to the work of a task
   */
  public static ShuffledUnits run(
      SparkContext context,
      ShuffleDependency<Object, InternalRow, InternalRow> dependency,
      RowLayout layout,
      SQLConf conf,
      long unitBytes,
      long groupBytes) {
    MapOutput output = MapOutput.run(context, dependency, layout);
    return of(output, conf, new BitSet(), unitBytes, groupBytes);
  }

  /**
   * Joins partitions.
   *
   * @param others partitions that are left to others
   * @param unitBytes bytes up to which partitions are joined to a unit
   * @param groupBytes bytes up to which units are joined to the work of a task
   */
  public static ShuffledUnits of(
      MapOutput output, SQLConf conf, BitSet others, long unitBytes, long groupBytes) {
    long[] bytes = output.bytes();
    int cores = output.context().defaultParallelism();
    long most = Math.min(groupBytes, targetBytes(bytes, conf, cores));
    List<Run> units = new ArrayList<>();
    List<Run> groups = new ArrayList<>();
    for (Run group : taper(bytes, others, most, cores)) {
      int first = units.size();
      units.addAll(join(bytes, others, group, unitBytes, left -> unitBytes));
      groups.add(new Run(first, units.size(), group.bytes()));
    }
    ShuffledRowRDD read =
        output.read(units.stream().map(Run::spec).toArray(ShufflePartitionSpec[]::new));
    return new ShuffledUnits(read, output.layout(), units, groups, output.allBytes());
  }

  /** Returns a fair share of the bytes, or 0 if partitions may not be joined. */
  static long targetBytes(long[] bytes, SQLConf conf, int parallelism) {
    if (!conf.adaptiveExecutionEnabled() || !conf.coalesceShufflePartitionsEnabled()) {
      return 0;
    }
    long share = Arrays.stream(bytes).sum() / Math.max(1, 2L * parallelism);
    return Math.max(LEAST_BYTES, share);
  }

  /**
   * Joins neighbouring parts to the work of tasks, of which cores take one after the other. Each is
   * a fair share of half of what is left, so that the last ones are small, and all cores end at
   * about the same time.
   *
   * @param others parts that are left out
   * @param most bytes of a group that are not to be exceeded, unless a part does
   */
  static List<Run> taper(long[] bytes, BitSet others, long most, int cores) {
    long all =
        IntStream.range(0, bytes.length).filter(i -> !others.get(i)).mapToLong(i -> bytes[i]).sum();
    long least = Math.max(LEAST_BYTES, all / (LAST_SHARES * cores));
    Run whole = new Run(0, bytes.length, all);
    return join(bytes, others, whole, most, left -> Math.max(least, left / (2L * cores)));
  }

  /**
   * Joins neighbouring parts of a run.
   *
   * @param others parts that are left out
   * @param most bytes that are not to be exceeded, unless a part does
   * @param target bytes to come close to, by those that are left
   */
  private static List<Run> join(
      long[] bytes, BitSet others, Run run, long most, LongUnaryOperator target) {
    List<Run> runs = new ArrayList<>();
    int from = run.from;
    long left = run.bytes;
    long open = 0;
    for (int i = run.from; i <= run.until; i++) {
      boolean out = i == run.until || others.get(i);
      if (i > from
          && (out || open + bytes[i] > most || open + bytes[i] / 2 > target.applyAsLong(left))) {
        runs.add(new Run(from, i, open));
        left -= open;
        from = i;
        open = 0;
      }
      if (out) {
        from = i + 1;
      } else {
        open += bytes[i];
      }
    }
    return runs;
  }

  /** Returns the partitions of the shuffle that a group consists of, without their bytes. */
  public Run partitions(int group) {
    Run run = groups.get(group);
    return new Run(units.get(run.from()).from(), units.get(run.until() - 1).until(), run.bytes());
  }

  /** Returns the first unit of each group, and the number of units. */
  public int[] starts() {
    int[] starts = new int[groups.size() + 1];
    for (int i = 0; i < groups.size(); i++) {
      starts[i + 1] = groups.get(i).until();
    }
    return starts;
  }

  /** Returns what a task per group makes of the rows of its units. */
  public <P extends Serializable, U> RDD<U> read(
      List<P> payloads, GroupTask<InternalRow, P, U> work, ClassTag<U> tag) {
    return new GroupedRdd<InternalRow, P, U>(rdd, starts(), payloads, unpacking(work), tag);
  }

  /** Returns what a task per group makes of the batches of its units, as they were shuffled. */
  public <P extends Serializable, U> RDD<U> readBatches(
      List<P> payloads, GroupTask<InternalRow, P, U> work, ClassTag<U> tag) {
    return new GroupedRdd<InternalRow, P, U>(rdd, starts(), payloads, work, tag);
  }

  /**
   * Returns what tasks make of the batches of some units each, as they were shuffled.
   *
   * @param runs the units of each task, as {@link GroupedRdd} has them
   */
  public <P extends Serializable, U> RDD<U> readBatches(
      int[][] runs, List<P> payloads, GroupTask<InternalRow, P, U> work, ClassTag<U> tag) {
    return new GroupedRdd<InternalRow, P, U>(rdd, runs, payloads, work, tag);
  }

  /**
   * Returns what tasks make of the rows of some units each.
   *
   * @param runs the units of each task, as {@link GroupedRdd} has them
   */
  public <P extends Serializable, U> RDD<U> read(
      int[][] runs, List<P> payloads, GroupTask<InternalRow, P, U> work, ClassTag<U> tag) {
    return new GroupedRdd<InternalRow, P, U>(rdd, runs, payloads, unpacking(work), tag);
  }

  private <P extends Serializable, U> GroupTask<InternalRow, P, U> unpacking(
      GroupTask<InternalRow, P, U> work) {
    RowLayout batched = layout;
    return (context, payload, each) ->
        work.run(context, payload, each.map(unit -> new BatchedRows(unit, batched)));
  }
}
