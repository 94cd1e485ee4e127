/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.MapOutput;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.catalyst.source.files.SplitSeries;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.BitSet;
import java.util.Collections;
import java.util.Optional;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.UnionRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * Brings the rows of each series together by a shuffle of our own, in batches:
 *
 * <pre>
 *   rows -> [shuffle] whole series, unordered -> [collect, compute] in each partition's task
 * </pre>
 *
 * Rows travel as columns, whether maps read rows or columns.
 */
public final class SeriesShuffle {
  /**
   * Bytes up to which the work of a task is joined. All of it is one unit, as its series are to
   * come in order, and it should find room in memory.
   */
  static final long GROUP_BYTES = 16L << 20;

  private SeriesShuffle() {}

  /**
   * Returns the results of series, each of which comes whole, series by series within a partition.
   *
   * @param windows what is computed
   * @param child the rows, or their columns
   * @param type what comes out
   */
  public static <T> RDD<T> run(
      WindowTask task,
      SeriesComputation<T> windows,
      UnitOrder order,
      SQLConf conf,
      SparkPlan child,
      Class<T> type) {
    MapOutput output = shuffled(task, order, conf, child);
    return output == null
        ? ScalaInterop.noPartitions(child, type)
        : computed(
            task,
            windows,
            order,
            layout(order),
            RowSpan.ALL,
            units(output, conf, new BitSet()),
            ScalaInterop.tag(type));
  }

  private static SeriesLayout layout(UnitOrder order) {
    return new SeriesLayout(order.keys(), order.order());
  }

  /** Returns what tasks make of shuffled series. */
  private static <T> RDD<T> computed(
      WindowTask task,
      SeriesComputation<T> windows,
      UnitOrder order,
      SeriesLayout layout,
      OwnRows rows,
      ShuffledUnits units,
      ClassTag<T> tag) {
    return units.readBatches(
        Collections.nCopies(units.groups().size(), 0),
        (context, none, own) ->
            task.ofBatches(context, own.flatMap(unit -> unit), layout, order, rows, windows),
        tag);
  }

  /**
   * Returns the columns of rows with those of their results, series by series, of which long ones
   * may be cut into ranges, in partitions of their own.
   *
   * @param stencils what is computed, each row of which depends on few others
   */
  public static RDD<ColumnarBatch> runRanges(
      StagedStencils stencils, UnitOrder order, SQLConf conf, SparkPlan child) {
    WindowTask task = stencils.task();
    Optional<SplitSeries> split =
        child.supportsColumnar() ? split(stencils, order, child) : Optional.empty();
    if (split.isPresent()) {
      return ofSplits(stencils, split.get(), conf, child);
    }
    MapOutput output = shuffled(task, order, conf, child);
    if (output == null) {
      return ScalaInterop.noPartitions(child, ColumnarBatch.class);
    }
    SeriesLayout layout = layout(order);
    SkewedSeries skewed = skewed(stencils, layout, output);
    BitSet cut = skewed == null ? new BitSet() : skewed.partitions();
    RDD<ColumnarBatch> whole =
        computed(stencils, order, layout, RowSpan.ALL, units(output, conf, cut));
    if (skewed == null) {
      return whole;
    }
    SeriesLayout breakingTies = layout.breakingTies(stencils.cells());
    UnitOrder ofOne = UnitOrder.ofOneSeries(order.order(), stencils.cells(), stencils.rowSchema());
    SeriesComputation<ColumnarBatch> columns = stencils.ofColumns();
    RDD<ColumnarBatch> ranges =
        skewed.ranges(
            (context, span, own) ->
                task.ofBatches(
                    context, own.flatMap(strip -> strip), breakingTies, ofOne, span, columns),
            ScalaInterop.tag(ColumnarBatch.class));
    RDD<ColumnarBatch> others =
        computed(stencils, order, layout, RowSpan.ALL, skewed.others(conf, GROUP_BYTES));
    return union(child, ScalaInterop.seqOf(ranges, whole, others));
  }

  private static RDD<ColumnarBatch> computed(
      StagedStencils stencils,
      UnitOrder order,
      SeriesLayout layout,
      OwnRows rows,
      ShuffledUnits units) {
    return computed(
        stencils.task(),
        stencils.ofColumns(),
        order,
        layout,
        rows,
        units,
        ScalaInterop.tag(ColumnarBatch.class));
  }

  private static RDD<ColumnarBatch> union(SparkPlan child, Seq<RDD<ColumnarBatch>> all) {
    return new UnionRDD<>(child.sparkContext(), all, ScalaInterop.tag(ColumnarBatch.class));
  }

  private static Optional<SplitSeries> split(
      StagedStencils stencils, UnitOrder order, SparkPlan child) {
    // Rows are kept until the query ends; outside of one nothing says when.
    boolean inQuery = StencilRun.execution(child.sparkContext()) != null;
    if (!inQuery || !SessionOptions.ofSession(SqlOptions.FILES_ENABLED)) {
      return Optional.empty();
    }
    return SplitSeries.of(
        child, order, stencils.layout(), stencils.task().metric(StencilMetric.SORT_NANOS));
  }

  /** Returns rows that stay where they are read, and after them those near the cuts. */
  private static RDD<ColumnarBatch> ofSplits(
      StagedStencils stencils, SplitSeries split, SQLConf conf, SparkPlan child) {
    WindowTask task = stencils.task();
    long start = System.nanoTime();
    String execution = StencilRun.execution(child.sparkContext());
    MapOutput output = split.shuffle(conf.numShufflePartitions(), execution);
    count(task, output, start);
    RDD<ColumnarBatch> stayed =
        split.stayed(
            (context, chunks) ->
                task.counted(
                    stencils.runChunks(context, stencils.none(), chunks, null, () -> {}),
                    StencilMetric.STAYED_ROWS));
    ShuffledUnits units = units(output, conf, new BitSet());
    return union(
        child,
        ScalaInterop.seqOf(
            stayed, computed(stencils, split.order(), split.layout(), split.own(), units)));
  }

  private static void count(WindowTask task, MapOutput output, long start) {
    task.metric(StencilMetric.SHUFFLED_BYTES).set(output.allBytes());
    task.setMillis(StencilMetric.SHUFFLE_MILLIS, start);
  }

  private static ShuffledUnits units(MapOutput output, SQLConf conf, BitSet others) {
    return ShuffledUnits.of(output, conf, others, GROUP_BYTES, GROUP_BYTES);
  }

  private static SkewedSeries skewed(
      StagedStencils stencils, SeriesLayout layout, MapOutput output) {
    WindowTask task = stencils.task();
    long start = System.nanoTime();
    long least = SessionOptions.ofSession(SqlOptions.SKEWED_BYTES);
    SkewedSeries skewed =
        SkewedSeries.cut(output, layout, stencils.plan().reach(), least, GROUP_BYTES);
    if (skewed != null) {
      task.metric(StencilMetric.CUT_SERIES).set(skewed.count());
      task.metric(StencilMetric.SHUFFLED_BYTES).add(skewed.bytes());
      task.metric(StencilMetric.SHUFFLE_MILLIS).add((System.nanoTime() - start) / 1_000_000);
    }
    return skewed;
  }

  /**
   * Runs the map stage; returns null if there are no rows at all, of which no task is made then.
   */
  private static MapOutput shuffled(
      WindowTask task, UnitOrder order, SQLConf conf, SparkPlan child) {
    long start = System.nanoTime();
    int partitions = conf.numShufflePartitions();
    SeriesLayout layout = layout(order);
    MapInput input = MapInput.of(child, conf);
    if (input.tasks() == 0) {
      return null;
    }
    ShuffleDependency<Object, InternalRow, InternalRow> dependency =
        input.shuffles().of(ColumnShuffle.byKeys(layout, partitions), layout, partitions);
    MapOutput output = MapOutput.run(child.sparkContext(), dependency, layout.rows());
    count(task, output, start);
    return output.allBytes() == 0 ? null : output;
  }
}
