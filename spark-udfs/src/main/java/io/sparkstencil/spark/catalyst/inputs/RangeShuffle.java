/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import io.sparkstencil.spark.catalyst.shuffle.KeyRanges;
import io.sparkstencil.spark.catalyst.shuffle.KeyShuffle;
import io.sparkstencil.spark.catalyst.shuffle.OrderRouter;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.exec.SeriesHalos;
import io.sparkstencil.spark.halo.PartitionEnds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.RangePartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;

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
 *
 * @param task what each task does
 * @param order the order of the series
 * @param child the plan of the rows
 * @param conf options of Spark's
 */
public record RangeShuffle(StencilTask task, RowOrder order, SparkPlan child, SQLConf conf) {
  /** Bytes of shuffled rows that are worth a sort of their own. */
  private static final long UNIT_BYTES = 1L << 19;

  private static final long GROUP_BYTES = 64L << 20;

  /**
   * A shuffle after its map stage.
   *
   * @param units where its rows are read
   * @param byKey what its map tasks found, or null if they did not look
   */
  record Ranges(ShuffledUnits units, KeyShuffle byKey) {}

  /**
   * Returns the sorted rows with their results.
   *
   * @param shared the shuffle, or where to leave it for others
   */
  public RDD<InternalRow> run(SharedRanges shared) {
    Ranges ranges = shared.ranges(this::shuffled);
    if (ranges == null) {
      return child.execute();
    }
    long start = System.nanoTime();
    List<SeriesHalos> halos =
        RangeHalos.of(task, ranges.units().groups().size(), () -> ends(ranges));
    task.metric(StencilMetric.HALO_MILLIS).set((System.nanoTime() - start) / 1_000_000);
    StencilTask each = task;
    UnitOrder by = UnitOrder.ofOneSeries(order, task.cells(), task.rowSchema());
    return ranges
        .units()
        .read(
            halos,
            (taskContext, beside, own) -> each.run(taskContext, own, by, beside),
            ScalaInterop.tag(InternalRow.class));
  }

  /** Runs the map stage; null if there are no rows. */
  private Ranges shuffled() {
    RDD<InternalRow> rows = child.execute();
    if (rows.getNumPartitions() == 0) {
      return null;
    }
    long start = System.nanoTime();
    RowLayout layout = RowLayout.of(ScalaInterop.list(order.attributes()));
    SparkPlan keys = NarrowPlan.of(child, order.keyExpressions());
    RDD<InternalRow> sampled = keys.execute();
    RowOrder sampledOrder = order.of(keys.output());
    int most = conf.numShufflePartitions();
    int samples = conf.rangeExchangeSampleSizePerPartition();
    KeyShuffle byKey = null;
    ShuffleDependency<Object, InternalRow, InternalRow> dependency;
    if (order.isIntegral()) {
      KeyRanges ranges = KeyRanges.of(sampled, sampledOrder, most, samples);
      byKey = new KeyShuffle(rows, ranges, task.plan(), task.cells(), order);
      dependency = byKey.dependency();
    } else {
      RowOrder by = order;
      RangePartitioner<InternalRow, Object> ranges =
          OrderRouter.ranges(sampled, sampledOrder, most, samples);
      dependency =
          BatchedShuffle.of(
              rows, map -> new OrderRouter(by, ranges), layout, ranges.numPartitions());
    }
    ShuffledUnits units =
        ShuffledUnits.run(rows.sparkContext(), dependency, layout, conf, UNIT_BYTES, GROUP_BYTES);
    task.metric(StencilMetric.SHUFFLED_BYTES).set(units.bytes());
    task.metric(StencilMetric.SHUFFLE_MILLIS).set((System.nanoTime() - start) / 1_000_000);
    return new Ranges(units, byKey);
  }

  private List<PartitionEnds> ends(Ranges ranges) {
    ShuffledUnits units = ranges.units();
    if (ranges.byKey() == null || !ranges.byKey().findsEndsFor(task.plan(), task.cells())) {
      return readEnds(units);
    }
    List<PartitionEnds> found = new ArrayList<>();
    for (int group = 0; group < units.groups().size(); group++) {
      ShuffledUnits.Run partitions = units.partitions(group);
      found.add(ranges.byKey().ends(partitions.from(), partitions.until(), task.cells()));
    }
    return found;
  }

  private List<PartitionEnds> readEnds(ShuffledUnits units) {
    StencilTask each = task;
    RowOrder by = order;
    RDD<PartitionEnds> ends =
        units.read(
            Collections.nCopies(units.groups().size(), 0),
            (context, none, own) ->
                ScalaInterop.seqOf(RangeHalos.ofUnsorted(own, each, by)).iterator(),
            ScalaInterop.tag(PartitionEnds.class));
    return List.of((PartitionEnds[]) ends.collect());
  }
}
