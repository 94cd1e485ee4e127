/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.series.ColumnRouter;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
import io.sparkstencil.spark.catalyst.series.KeyRowRouter;
import io.sparkstencil.spark.catalyst.series.RangeRouter;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.WordBatch;
import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import io.sparkstencil.spark.catalyst.shuffle.KeyRanges;
import io.sparkstencil.spark.catalyst.shuffle.OpenRows;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.RowRouter;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.catalyst.source.files.EvenSplits;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.RangePartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
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
 * @param toColumns whether rows, of fixed width and texts, become columns
 * @param conf options of Spark's
 * @param metrics what is counted
 */
record RangeStage(
    RowOrder order,
    SparkPlan child,
    SparkPlan columns,
    boolean toColumns,
    SQLConf conf,
    Map<StencilMetric, SQLMetric> metrics) {
  /** Bytes of shuffled rows that are worth a sort of their own. */
  private static final long UNIT_BYTES = 1L << 19;

  private static final long GROUP_BYTES = 64L << 20;

  /**
   * A shuffle after its map stage.
   *
   * @param units where its rows are read
   * @param finder what its map tasks looked for
   */
  record Ranges(ShuffledUnits units, RangeFinder finder) {
    /** Tells whether rows were shuffled as columns that tasks may read. */
    boolean isOfColumns() {
      return units.layout().words() > 0;
    }
  }

  /**
   * Runs the stage, whose tasks look for something on the way; returns null if there are no rows,
   * of which no task is made then.
   */
  Ranges run(RangeFinder finder) {
    Ranges made = columns == null ? ofRows(finder) : ofColumns(finder);
    return made == null || made.units.bytes() == 0 ? null : made;
  }

  private Ranges ofRows(RangeFinder finder) {
    RDD<InternalRow> rows = child.execute();
    if (rows.getNumPartitions() == 0) {
      return null;
    }
    long start = System.nanoTime();
    List<Attribute> attributes = ScalaInterop.list(order.attributes());
    RowLayout layout = toColumns ? RowLayout.ofColumns(attributes) : RowLayout.of(attributes);
    Ranges all =
        small(
            routed -> BatchedShuffle.of(rows, map -> new ToOne(routed), layout, 1), layout, start);
    if (all != null) {
      return all;
    }
    RowRouter.Factory routers;
    int count;
    if (KeyRanges.isPossible(order)) {
      KeyRanges ranges = ranges();
      routers = ranges.routers(order);
      count = ranges.count();
    } else {
      RangePartitioner<InternalRow, Object> ranges = rangesOfAnyOrder();
      RowOrder by = order;
      routers = map -> new Router(by, ranges);
      count = ranges.numPartitions();
    }
    RangeFinder.Factory finding = finder.finding(rows.getNumPartitions(), count);
    return shuffled(
        finder,
        BatchedShuffle.of(
            rows,
            map -> new FindingRouter(routers.create(map), finding.create(map)),
            layout,
            count),
        layout,
        start);
  }

  private Ranges ofColumns(RangeFinder finder) {
    RDD<ColumnarBatch> batches = spread(columns);
    if (batches.getNumPartitions() == 0) {
      return null;
    }
    long start = System.nanoTime();
    SeriesLayout layout = SeriesLayout.ofOneSeries(order);
    Ranges all =
        small(
            routed -> ColumnShuffle.by(batches, map -> new ToOne(routed), layout, 1),
            layout.rows(),
            start);
    if (all != null) {
      return all;
    }
    ColumnRouter.Factory routers;
    int count;
    if (KeyRanges.isPossible(order)) {
      KeyRanges ranges = ranges();
      count = ranges.count();
      RangeFinder.Factory finding = finder.finding(batches.getNumPartitions(), count);
      routers = map -> new RangeRouter(layout, ranges, finding.create(map));
    } else {
      RangePartitioner<InternalRow, Object> ranges = rangesOfAnyOrder();
      count = ranges.numPartitions();
      RangeFinder.Factory finding = finder.finding(batches.getNumPartitions(), count);
      routers = map -> new KeyRowRouter(layout, ranges::getPartition, finding.create(map));
    }
    return shuffled(
        finder, ColumnShuffle.by(batches, routers, layout, count), layout.rows(), start);
  }

  private RDD<ColumnarBatch> spread(SparkPlan plan) {
    return EvenSplits.of(plan.executeColumnar(), conf, ScalaInterop.tag(ColumnarBatch.class));
  }

  private Ranges shuffled(
      RangeFinder finder,
      ShuffleDependency<Object, InternalRow, InternalRow> dependency,
      RowLayout layout,
      long start) {
    return counted(units(dependency, layout), finder, start);
  }

  /**
   * Returns few rows as one range; null if there are more.
   *
   * @param one shuffles all rows to one range, and counts them
   */
  private Ranges small(
      Function<SQLMetric, ShuffleDependency<Object, InternalRow, InternalRow>> one,
      RowLayout layout,
      long start) {
    if (!InputSize.isSmall(child)) {
      return null;
    }
    SQLMetric routed = SQLMetrics.createMetric(child.sparkContext(), "rows");
    ShuffledUnits all = units(one.apply(routed), layout);
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
    metrics.get(StencilMetric.SHUFFLED_BYTES).set(units.bytes());
    metrics.get(StencilMetric.SHUFFLE_MILLIS).set((System.nanoTime() - start) / 1_000_000);
    return new Ranges(units, finder);
  }

  /** Samples numbers of rows, of columns if these come straight from a scan. */
  private KeyRanges ranges() {
    SparkPlan keys = NarrowPlan.of(child, order.keyExpressions());
    SparkPlan scan = columns == null ? null : NarrowPlan.columnar(keys);
    RowOrder sampled = order.of(keys.output());
    int most = conf.numShufflePartitions();
    int samples = conf.rangeExchangeSampleSizePerPartition();
    return scan == null
        ? KeyRanges.of(keys.execute(), sampled, most, samples)
        : KeyRanges.ofColumns(spread(scan), sampled, most, samples);
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
  }

  /** Sends all rows of a map task to one range. */
  private static final class ToOne implements RowRouter, ColumnRouter {
    private final SQLMetric routed;
    private long rows;

    ToOne(SQLMetric routed) {
      this.routed = routed;
    }

    @Override
    public int target(UnsafeRow row) {
      rows++;
      return 0;
    }

    @Override
    public void route(WordBatch batch, int[] targets) {
      rows += batch.rows();
      Arrays.fill(targets, 0, batch.rows(), 0);
    }

    @Override
    public void writes(int partition, OpenRows open) {}

    @Override
    public void finish() {
      routed.add(rows);
    }
  }

  /** Sends rows on, and has something found on the way. */
  private record FindingRouter(RowRouter router, RangeFinder.InTask finder) implements RowRouter {
    @Override
    public int target(UnsafeRow row) {
      return router.target(row);
    }

    @Override
    public void writes(int partition, OpenRows rows) {
      finder.writes(partition, rows);
    }

    @Override
    public void finish() {
      finder.finish();
    }
  }
}
