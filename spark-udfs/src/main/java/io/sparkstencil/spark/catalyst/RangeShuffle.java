/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.spark.exec.SeriesEdges;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.halo.HaloPlanner;
import io.sparkstencil.spark.halo.PartitionEdges;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.MapOutputStatistics;
import org.apache.spark.PartitionEvaluatorFactory;
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
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.ThreadUtils;
import scala.collection.immutable.Seq;
import scala.concurrent.duration.Duration;

/**
 * Spreads the rows of one series over partitions by ranges of their key and gives each partition
 * its halo:
 *
 * <pre>
 *   rows -> [sample] ranges -> [shuffle] unsorted partitions -> [edges] first and last rows of each
 *        -> [halo] what lies beside each -> [sort, stencil] in each partition's task
 * </pre>
 */
final class RangeShuffle {
  private final StencilTask task;
  private final RowOrder order;
  private final boolean radix = RowSorter.radixEnabled();

  RangeShuffle(StencilTask task, RowOrder order) {
    this.task = task;
    this.order = order;
  }

  /** Returns the sorted rows with their results. */
  RDD<InternalRow> run(RDD<InternalRow> rows, SQLConf conf) {
    SparkContext context = rows.sparkContext();
    if (rows.getNumPartitions() == 0) {
      return rows;
    }
    long start = System.nanoTime();
    Seq<Attribute> attributes = order.attributes();
    SQLMetric dataBytes = SQLMetrics.createSizeMetric(context, "data size", -1L);
    ShuffleDependency<Object, InternalRow, InternalRow> dependency =
        ShuffleExchangeExec$.MODULE$.prepareShuffleDependency(
            rows,
            attributes,
            new RangePartitioning(order.sortOrder(), conf.numShufflePartitions()),
            new UnsafeRowSerializer(attributes.size(), dataBytes),
            SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(context));
    long[] bytes = shuffle(context, dependency);
    ShuffledRowRDD shuffled =
        new ShuffledRowRDD(
            dependency,
            SQLShuffleReadMetricsReporter.createShuffleReadMetrics(context),
            coalesce(bytes, conf, context.defaultParallelism()));
    long shuffledAt = System.nanoTime();
    List<SeriesEdges> edges = halos(shuffled);
    long total = 0;
    for (long each : bytes) {
      total += each;
    }
    task.metrics().shuffledBytes().set(total);
    task.metrics().shuffleMillis().set((shuffledAt - start) / 1_000_000);
    task.metrics().haloMillis().set((System.nanoTime() - shuffledAt) / 1_000_000);
    return sorted(shuffled, edges);
  }

  private RDD<InternalRow> sorted(ShuffledRowRDD shuffled, List<SeriesEdges> edges) {
    StencilTask each = task;
    RowOrder by = order;
    boolean useRadix = radix;
    return new PayloadRdd<InternalRow, SeriesEdges, InternalRow>(
        shuffled,
        edges,
        (context, beside, unsorted) ->
            each.run(
                context,
                new SeriesRows(
                    RowSorter.sort(
                        by, each.cells(), each.rowSchema(), useRadix, unsorted, each.metrics()),
                    null),
                beside,
                false),
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

  /** Joins neighbouring small partitions as adaptive execution does, where it may. */
  static ShufflePartitionSpec[] coalesce(long[] bytes, SQLConf conf, int parallelism) {
    long target = 0;
    if (conf.adaptiveExecutionEnabled() && conf.coalesceShufflePartitionsEnabled()) {
      long total = 0;
      for (long each : bytes) {
        total += each;
      }
      target = Math.max(1L << 20, Math.min(64L << 20, total / Math.max(1, 2L * parallelism)));
    }
    List<ShufflePartitionSpec> specs = new ArrayList<>();
    int from = 0;
    long open = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (i > from && open + bytes[i] > target) {
        specs.add(spec(from, i, open));
        from = i;
        open = 0;
      }
      open += bytes[i];
    }
    if (from < bytes.length) {
      specs.add(spec(from, bytes.length, open));
    }
    return specs.toArray(ShufflePartitionSpec[]::new);
  }

  private static ShufflePartitionSpec spec(int from, int until, long bytes) {
    return new CoalescedPartitionSpec(from, until, scala.Option.<Object>apply(bytes));
  }

  private List<SeriesEdges> halos(ShuffledRowRDD shuffled) {
    StagePlan plan = task.plan();
    List<SeriesEdges> edges = new ArrayList<>();
    int partitions = shuffled.getNumPartitions();
    if (plan.left() == 0 && plan.right() == 0) {
      for (int i = 0; i < partitions; i++) {
        edges.add(SeriesEdges.none(plan.pipelines().size()));
      }
      return edges;
    }
    PartitionEdges[] found =
        (PartitionEdges[])
            shuffled
                .mapPartitionsWithEvaluator(
                    edgesFactory(order, task.cells(), plan.reach()),
                    ScalaInterop.tag(PartitionEdges.class))
                .collect();
    HaloPlanner planner = new HaloPlanner(plan, List.of(found));
    for (int i = 0; i < partitions; i++) {
      edges.add(planner.edges(i, i + 1));
    }
    task.metrics().haloCells().set(planner.cellsMoved());
    return edges;
  }

  private static PartitionEvaluatorFactory<InternalRow, PartitionEdges> edgesFactory(
      RowOrder order, CellReader cells, int reach) {
    return () ->
        (index, inputs) -> {
          EdgeHeap heads = new EdgeHeap(order, cells, reach, true);
          EdgeHeap tails = new EdgeHeap(order, cells, reach, false);
          long count = 0;
          scala.collection.Iterator<InternalRow> rows = inputs.apply(0);
          while (rows.hasNext()) {
            InternalRow row = rows.next();
            heads.offer(row);
            tails.offer(row);
            count++;
          }
          return ScalaInterop.seqOf(new PartitionEdges(count, heads.columns(), tails.columns()))
              .iterator();
        };
  }
}
