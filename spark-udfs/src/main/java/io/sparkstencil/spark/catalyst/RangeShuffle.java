/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.spark.exec.SeriesEdges;
import io.sparkstencil.spark.halo.PartitionEdges;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec$;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

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
  private static final long UNIT_BYTES = 1L << 19;

  private static final long GROUP_BYTES = 64L << 20;

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
    RowLayout batched = byKey == null ? null : RowLayout.of(ScalaInterop.list(order.attributes()));
    ShuffledUnits units =
        ShuffledUnits.run(context, dependency, batched, conf, UNIT_BYTES, GROUP_BYTES);
    long shuffledAt = System.nanoTime();
    List<SeriesEdges> edges = RangeHalos.of(task, units.groups(), () -> edges(units, byKey));
    task.metrics().shuffledBytes().set(units.bytes());
    task.metrics().shuffleMillis().set((shuffledAt - start) / 1_000_000);
    task.metrics().haloMillis().set((System.nanoTime() - shuffledAt) / 1_000_000);
    StencilTask each = task;
    UnitOrder by = new UnitOrder(null, order, order, task.cells(), task.rowSchema(), radix);
    return units.read(
        edges,
        (taskContext, beside, own) -> each.run(taskContext, own, by, beside),
        ScalaInterop.tag(InternalRow.class));
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

  private List<PartitionEdges> edges(ShuffledUnits units, KeyShuffle byKey) {
    if (byKey == null || !byKey.findsEdges()) {
      return readEdges(units);
    }
    List<PartitionEdges> found = new ArrayList<>();
    for (int group = 0; group < units.groups(); group++) {
      ShuffledUnits.Run partitions = units.partitions(group);
      found.add(byKey.edges(partitions.from(), partitions.until()));
    }
    return found;
  }

  private List<PartitionEdges> readEdges(ShuffledUnits units) {
    StencilTask each = task;
    RowOrder by = order;
    RDD<PartitionEdges> edges =
        units.read(
            Collections.nCopies(units.groups(), 0),
            (context, none, own) ->
                ScalaInterop.seqOf(RangeHalos.ofUnsorted(own, each, by)).iterator(),
            ScalaInterop.tag(PartitionEdges.class));
    return List.of((PartitionEdges[]) edges.collect());
  }
}
