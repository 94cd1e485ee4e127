/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import io.sparkstencil.spark.catalyst.shuffle.KeyRanges;
import io.sparkstencil.spark.catalyst.shuffle.KeyShuffle;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.RowRouter;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.exec.SeriesHalos;
import io.sparkstencil.spark.halo.PartitionEnds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.RangePartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.MutablePair;
import scala.Product2;

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
    List<SeriesHalos> halos = task.halos(ranges.units().groups().size(), () -> ends(ranges));
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
          Router.ranges(sampled, sampledOrder, most, samples);
      dependency =
          BatchedShuffle.of(rows, map -> new Router(by, ranges), layout, ranges.numPartitions());
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
            (context, none, own) -> ScalaInterop.seqOf(each.endsOfUnsorted(own, by)).iterator(),
            ScalaInterop.tag(PartitionEnds.class));
    return List.of((PartitionEnds[]) ends.collect());
  }

  /** Sends rows to ranges of an order of any kind. */
  private static final class Router implements RowRouter {
    private final RangePartitioner<InternalRow, Object> ranges;
    private final UnsafeProjection keys;

    Router(RowOrder order, RangePartitioner<InternalRow, Object> ranges) {
      this.ranges = ranges;
      this.keys = order.keyProjection();
    }

    @Override
    public int target(UnsafeRow row) {
      return ranges.getPartition(keys.apply(row));
    }

    /**
     * Samples the keys of rows, which is a job, and finds ranges of about the same number of rows.
     *
     * @param order the order of these rows, which may have fewer columns than those that are routed
     */
    static RangePartitioner<InternalRow, Object> ranges(
        RDD<InternalRow> rows, RowOrder order, int most, int samples) {
      PartitionEvaluatorFactory<InternalRow, Product2<InternalRow, Object>> keys =
          () ->
              (index, inputs) -> {
                UnsafeProjection projection = order.keyProjection();
                MutablePair<InternalRow, Object> pair = new MutablePair<>();
                // The sample keeps keys, and the projection's row is overwritten.
                return inputs.apply(0).map(row -> pair.update(projection.apply(row).copy(), null));
              };
      return new RangePartitioner<>(
          most,
          rows.mapPartitionsWithEvaluator(keys, BatchedShuffle.pairTag()),
          true,
          samples,
          new LazilyGeneratedOrdering(order.boundKeys()),
          ScalaInterop.tag(InternalRow.class));
    }
  }
}
