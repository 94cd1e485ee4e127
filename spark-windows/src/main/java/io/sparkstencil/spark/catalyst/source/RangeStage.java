/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import io.sparkstencil.spark.catalyst.shuffle.KeyRanges;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.RowRouter;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import java.util.Map;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.RangePartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.MutablePair;
import scala.Product2;

/**
 * The map stage of a shuffle by ranges: samples the keys of rows, cuts them into ranges of about
 * the same number of rows and writes the rows of each. Rows with equal keys go to one range. Few
 * rows are one range, for which nothing is sampled.
 *
 * @param order the order of the series
 * @param child the plan of the rows
 * @param conf options of Spark's
 * @param metrics what is counted
 */
record RangeStage(
    RowOrder order, SparkPlan child, SQLConf conf, Map<StencilMetric, SQLMetric> metrics) {
  /** Bytes of shuffled rows that are worth a sort of their own. */
  private static final long UNIT_BYTES = 1L << 19;

  private static final long GROUP_BYTES = 64L << 20;

  /**
   * A shuffle after its map stage.
   *
   * @param units where its rows are read
   * @param finder what its map tasks looked for
   */
  record Ranges(ShuffledUnits units, RangeFinder finder) {}

  /** Runs the stage, whose tasks look for something on the way; null if there are no rows. */
  Ranges run(RangeFinder finder) {
    RDD<InternalRow> rows = child.execute();
    if (rows.getNumPartitions() == 0) {
      return null;
    }
    long start = System.nanoTime();
    RowLayout layout = RowLayout.of(ScalaInterop.list(order.attributes()));
    if (InputSize.isSmall(child)) {
      ShuffledUnits all = shuffled(BatchedShuffle.of(rows, map -> row -> 0, layout, 1), layout);
      if (all.bytes() <= InputSize.mostBytes()) {
        return counted(all, (routers, maps, ranges) -> routers, start);
      }
    }
    SparkPlan keys = NarrowPlan.of(child, order.keyExpressions());
    RDD<InternalRow> sampled = keys.execute();
    RowOrder sampledOrder = order.of(keys.output());
    int most = conf.numShufflePartitions();
    int samples = conf.rangeExchangeSampleSizePerPartition();
    RowRouter.Factory routers;
    int count;
    if (order.isIntegral()) {
      KeyRanges ranges = KeyRanges.of(sampled, sampledOrder, most, samples);
      routers = ranges.routers(order);
      count = ranges.count();
    } else {
      RowOrder by = order;
      RangePartitioner<InternalRow, Object> ranges =
          Router.ranges(sampled, sampledOrder, most, samples);
      routers = map -> new Router(by, ranges);
      count = ranges.numPartitions();
    }
    RowRouter.Factory finding = finder.finding(routers, rows.getNumPartitions(), count);
    return counted(
        shuffled(BatchedShuffle.of(rows, finding, layout, count), layout), finder, start);
  }

  private ShuffledUnits shuffled(
      ShuffleDependency<Object, InternalRow, InternalRow> dependency, RowLayout layout) {
    SparkContext context = dependency.rdd().sparkContext();
    return ShuffledUnits.run(context, dependency, layout, conf, UNIT_BYTES, GROUP_BYTES);
  }

  private Ranges counted(ShuffledUnits units, RangeFinder finder, long start) {
    metrics.get(StencilMetric.SHUFFLED_BYTES).set(units.bytes());
    metrics.get(StencilMetric.SHUFFLE_MILLIS).set((System.nanoTime() - start) / 1_000_000);
    return new Ranges(units, finder);
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
