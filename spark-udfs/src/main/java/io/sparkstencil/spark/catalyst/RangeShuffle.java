/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.spark.exec.SeriesEdges;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.halo.HaloPlanner;
import io.sparkstencil.spark.halo.PartitionEdges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.MapOutputStatistics;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.ShuffledRowRDD;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec$;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.ThreadUtils;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.concurrent.duration.Duration;

/**
 * Spreads the rows of one series over partitions by ranges of their key and gives each partition
 * its halo:
 *
 * <pre>
 *   rows -> [sample] ranges -> [shuffle] unsorted ranges, and the first and last rows of each
 *        -> [halo] what lies beside each partition -> [sort, stencil] in each partition's task
 * </pre>
 *
 * <p>Where the key is one integral column, the shuffle's map tasks find the first and last rows on
 * the way; elsewhere, and for very wide frames, a job reads the shuffled rows once more for them.
 */
final class RangeShuffle {
  /** Bytes of shuffled rows that are worth a sort of their own. */
  private static final long UNIT_BYTES = 1L << 20;

  private final StencilTask task;
  private final RowOrder order;
  private final SQLConf conf;
  private final boolean radix = RowSorter.radixEnabled();

  RangeShuffle(StencilTask task, RowOrder order, SQLConf conf) {
    this.task = task;
    this.order = order;
    this.conf = conf;
  }

  /** Returns the sorted rows with their results. */
  RDD<InternalRow> run(RDD<InternalRow> rows) {
    SparkContext context = rows.sparkContext();
    if (rows.getNumPartitions() == 0) {
      return rows;
    }
    long start = System.nanoTime();
    KeyShuffle byKey = order.isIntegral() ? KeyShuffle.of(rows, task, order, conf) : null;
    ShuffleDependency<Object, InternalRow, InternalRow> dependency =
        byKey == null ? byOrder(rows) : byKey.dependency();
    long[] bytes = shuffle(context, dependency);
    long shuffledAt = System.nanoTime();

    long target = targetBytes(bytes, conf, context.defaultParallelism());
    List<Run> units = join(bytes, Math.min(target, UNIT_BYTES));
    List<Run> groups = join(units.stream().mapToLong(Run::bytes).toArray(), target);
    ShuffledRowRDD shuffled =
        new ShuffledRowRDD(
            dependency,
            SQLShuffleReadMetricsReporter.createShuffleReadMetrics(context),
            units.stream().map(Run::spec).toArray(ShufflePartitionSpec[]::new));
    List<SeriesEdges> edges = edges(shuffled, byKey, units, groups);
    task.metrics().shuffledBytes().set(Arrays.stream(bytes).sum());
    task.metrics().shuffleMillis().set((shuffledAt - start) / 1_000_000);
    task.metrics().haloMillis().set((System.nanoTime() - shuffledAt) / 1_000_000);
    return sorted(shuffled, starts(groups), edges);
  }

  private ShuffleDependency<Object, InternalRow, InternalRow> byOrder(RDD<InternalRow> rows) {
    SparkContext context = rows.sparkContext();
    Seq<Attribute> attributes = order.attributes();
    return ShuffleExchangeExec$.MODULE$.prepareShuffleDependency(
        rows,
        attributes,
        new RangePartitioning(order.sortOrder(), conf.numShufflePartitions()),
        new UnsafeRowSerializer(
            attributes.size(), SQLMetrics.createSizeMetric(context, "data size", -1L)),
        SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(context));
  }

  private RDD<InternalRow> sorted(ShuffledRowRDD shuffled, int[] starts, List<SeriesEdges> edges) {
    StencilTask each = task;
    UnitOrder by = new UnitOrder(null, order, order, task.cells(), task.rowSchema(), radix);
    return new GroupedRdd<InternalRow, SeriesEdges, InternalRow>(
        shuffled,
        starts,
        edges,
        (context, beside, units) -> each.run(context, units, by, beside),
        ScalaInterop.tag(InternalRow.class));
  }

  private static long[] shuffle(
      SparkContext context, ShuffleDependency<Object, InternalRow, InternalRow> dependency) {
    try {
      MapOutputStatistics statistics =
          ThreadUtils.awaitResult(context.submitMapStage(dependency), Duration.Inf());
      return statistics.bytesByPartitionId();
    } catch (SparkException e) {
      throw ScalaInterop.sneaky(e);
    }
  }

  /** Consecutive parts {@code [from, until)} that are read as one. */
  record Run(int from, int until, long bytes) {
    ShufflePartitionSpec spec() {
      return new CoalescedPartitionSpec(from, until, scala.Option.<Object>apply(bytes));
    }
  }

  /** Returns how large partitions should be, as adaptive execution has it; 0 if it may not join. */
  static long targetBytes(long[] bytes, SQLConf conf, int parallelism) {
    if (!conf.adaptiveExecutionEnabled() || !conf.coalesceShufflePartitionsEnabled()) {
      return 0;
    }
    long share = Arrays.stream(bytes).sum() / Math.max(1, 2L * parallelism);
    return Math.max(1L << 20, Math.min(64L << 20, share));
  }

  /** Joins neighbouring parts up to {@code target} bytes. */
  static List<Run> join(long[] bytes, long target) {
    List<Run> runs = new ArrayList<>();
    int from = 0;
    long open = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (i > from && open + bytes[i] > target) {
        runs.add(new Run(from, i, open));
        from = i;
        open = 0;
      }
      open += bytes[i];
    }
    if (from < bytes.length) {
      runs.add(new Run(from, bytes.length, open));
    }
    return runs;
  }

  private static int[] starts(List<Run> groups) {
    int[] starts = new int[groups.size() + 1];
    for (int i = 0; i < groups.size(); i++) {
      starts[i + 1] = groups.get(i).until();
    }
    return starts;
  }

  private List<SeriesEdges> edges(
      ShuffledRowRDD shuffled, KeyShuffle byKey, List<Run> units, List<Run> groups) {
    StagePlan plan = task.plan();
    if (plan.left() == 0 && plan.right() == 0) {
      return Collections.nCopies(groups.size(), SeriesEdges.none(plan.pipelines().size()));
    }
    List<PartitionEdges> found = new ArrayList<>();
    if (byKey != null && byKey.findsEdges()) {
      for (Run group : groups) {
        int until = units.get(group.until() - 1).until();
        found.add(byKey.edges(units.get(group.from()).from(), until));
      }
    } else {
      found = readEdges(shuffled, starts(groups));
    }
    HaloPlanner planner = new HaloPlanner(plan, found);
    List<SeriesEdges> edges = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      edges.add(planner.edges(i, i + 1));
    }
    task.metrics().haloCells().set(planner.cellsMoved());
    return edges;
  }

  private List<PartitionEdges> readEdges(ShuffledRowRDD shuffled, int[] starts) {
    RowOrder by = order;
    CellReader cells = task.cells();
    int reach = task.plan().reach();
    RDD<PartitionEdges> edges =
        new GroupedRdd<InternalRow, Integer, PartitionEdges>(
            shuffled,
            starts,
            Collections.nCopies(starts.length - 1, 0),
            (context, none, units) ->
                ScalaInterop.seqOf(edgesOf(units, by, cells, reach)).iterator(),
            ScalaInterop.tag(PartitionEdges.class));
    return List.of((PartitionEdges[]) edges.collect());
  }

  private static PartitionEdges edgesOf(
      Iterator<Iterator<InternalRow>> units, RowOrder order, CellReader cells, int reach) {
    EdgeHeap heads = new EdgeHeap(order, cells, reach, true);
    EdgeHeap tails = new EdgeHeap(order, cells, reach, false);
    long count = 0;
    while (units.hasNext()) {
      Iterator<InternalRow> rows = units.next();
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        heads.offer(row);
        tails.offer(row);
        count++;
      }
    }
    return new PartitionEdges(count, heads.columns(), tails.columns());
  }
}
