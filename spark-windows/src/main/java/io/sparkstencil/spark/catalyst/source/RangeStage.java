/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.series.ColumnRouter;
import io.sparkstencil.spark.catalyst.series.KeyRowRouter;
import io.sparkstencil.spark.catalyst.series.RangeRouter;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.WordBatch;
import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import io.sparkstencil.spark.catalyst.shuffle.KeyRanges;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.catalyst.source.files.EvenSplits;
import java.util.Arrays;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.RangePartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.MutablePair;
import scala.Product2;

/**
 * The map stage of a shuffle by ranges: samples the keys of rows, cuts them into ranges of about
 * the same number of rows and writes the rows of each. Rows with equal keys go to one range. Few
 * rows are one range, for which nothing is sampled.
 *
 * @param order the order of the series
 * @param child the plan of the rows
 * @param columns a plan of the columns of the same rows; null to read rows
 * @param conf options of Spark's
 * @param task what counts
 */
record RangeStage(
    RowOrder order, SparkPlan child, SparkPlan columns, SQLConf conf, WindowTask task) {
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

  /**
   * Runs the stage, whose tasks look for something on the way; returns null if there are no rows,
   * of which no task is made then.
   */
  Ranges run(RangeFinder finder) {
    Ranges made = ranges(finder);
    return made == null || made.units.bytes() == 0 ? null : made;
  }

  private Ranges ranges(RangeFinder finder) {
    MapInput input = MapInput.of(columns == null ? child : columns, conf);
    if (input.tasks() == 0) {
      return null;
    }
    long start = System.nanoTime();
    SeriesLayout layout = SeriesLayout.ofOneSeries(order);
    Ranges all = small(input, layout, start);
    if (all != null) {
      return all;
    }
    ColumnRouter.Factory routers;
    int count;
    if (KeyRanges.isPossible(order)) {
      KeyRanges ranges = sampled();
      count = ranges.count();
      RangeFinder.Factory finding = finder.finding(input.tasks(), count);
      routers = map -> new RangeRouter(layout, ranges, finding.create(map));
    } else {
      RangePartitioner<InternalRow, Object> ranges = rangesOfAnyOrder();
      count = ranges.numPartitions();
      RangeFinder.Factory finding = finder.finding(input.tasks(), count);
      routers = map -> new KeyRowRouter(layout, ranges::getPartition, finding.create(map));
    }
    return counted(
        units(input.shuffles().of(routers, layout, count), layout.rows()), finder, start);
  }

  /** Returns few rows as one range; null if there are more. */
  private Ranges small(MapInput input, SeriesLayout layout, long start) {
    if (!InputSize.isSmall(child)) {
      return null;
    }
    SQLMetric routed = SQLMetrics.createMetric(child.sparkContext(), "rows");
    ShuffledUnits all =
        units(input.shuffles().of(map -> new ToOne(routed), layout, 1), layout.rows());
    return InputSize.isSmall(all.bytes(), routed.value())
        ? counted(all, (maps, ranges) -> RangeFinder.nothing(), start)
        : null;
  }

  private ShuffledUnits units(
      ShuffleDependency<Object, InternalRow, InternalRow> dependency, RowLayout layout) {
    SparkContext context = dependency.rdd().sparkContext();
    // With texts, a task has all its units in memory together.
    long group = layout.texts().isEmpty() ? GROUP_BYTES : SeriesShuffle.GROUP_BYTES;
    return ShuffledUnits.run(context, dependency, layout, conf, UNIT_BYTES, group);
  }

  private Ranges counted(ShuffledUnits units, RangeFinder finder, long start) {
    task.metric(StencilMetric.SHUFFLED_BYTES).set(units.bytes());
    task.setMillis(StencilMetric.SHUFFLE_MILLIS, start);
    return new Ranges(units, finder);
  }

  /** Samples numbers of rows, of columns if these come straight from a scan. */
  private KeyRanges sampled() {
    SparkPlan keys = NarrowPlan.of(child, order.keyExpressions());
    SparkPlan scan = columns == null ? null : NarrowPlan.columnar(keys);
    RowOrder sampled = order.of(keys.output());
    int most = conf.numShufflePartitions();
    int samples = conf.rangeExchangeSampleSizePerPartition();
    return scan == null
        ? KeyRanges.of(keys.execute(), sampled, most, samples)
        : KeyRanges.ofColumns(
            EvenSplits.of(scan.executeColumnar(), conf, ScalaInterop.tag(ColumnarBatch.class)),
            sampled,
            most,
            samples);
  }

  /**
   * Samples the keys of rows, which is a job, and finds ranges of about the same number of rows.
   */
  private RangePartitioner<InternalRow, Object> rangesOfAnyOrder() {
    SparkPlan narrow = NarrowPlan.of(child, order.keyExpressions());
    RowOrder sampled = order.of(narrow.output());
    PartitionEvaluatorFactory<InternalRow, Product2<InternalRow, Object>> keys =
        () ->
            (index, inputs) -> {
              UnsafeProjection projection = sampled.keyProjection();
              MutablePair<InternalRow, Object> pair = new MutablePair<>();
              // The sample keeps keys, and the projection's row is overwritten.
              return inputs.apply(0).map(row -> pair.update(projection.apply(row).copy(), null));
            };
    return new RangePartitioner<>(
        conf.numShufflePartitions(),
        narrow.execute().mapPartitionsWithEvaluator(keys, BatchedShuffle.pairTag()),
        true,
        conf.rangeExchangeSampleSizePerPartition(),
        new LazilyGeneratedOrdering(sampled.boundKeys()),
        ScalaInterop.tag(InternalRow.class));
  }

  /** Sends all rows of a map task to one range. */
  private static final class ToOne implements ColumnRouter {
    private final SQLMetric routed;
    private long rows;

    ToOne(SQLMetric routed) {
      this.routed = routed;
    }

    @Override
    public void route(WordBatch batch, int[] targets) {
      rows += batch.rows();
      Arrays.fill(targets, 0, batch.rows(), 0);
    }

    @Override
    public void finish() {
      routed.add(rows);
    }
  }
}
