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

/**
 * Brings the rows of each series together by a shuffle of our own, in batches:
 *
 * <pre>
 *   rows -> [shuffle] whole series, unordered -> [collect, compute] in each partition's task
 * </pre>
 *
 * Rows travel as columns, whether maps read rows or columns.
 *
 * @param task what each task is
 * @param order the order of the series, and of the rows of each
 * @param child the rows, or their columns
 * @param conf options of Spark's
 */
public record SeriesShuffle(WindowTask task, UnitOrder order, SparkPlan child, SQLConf conf) {
  /**
   * Bytes up to which the work of a task is joined. All of it is one unit, as its series are to
   * come in order, and it should find room in memory.
   */
  static final long GROUP_BYTES = 16L << 20;

  /**
   * Returns the results of series, each of which comes whole, series by series within a partition.
   *
   * @param type what comes out
   */
  public <T> RDD<T> run(SeriesComputation<T> windows, Class<T> type) {
    MapOutput output = shuffled();
    return output == null
        ? ScalaInterop.noPartitions(child, type)
        : computed(windows, units(output, new BitSet()), type);
  }

  private SeriesLayout layout() {
    return new SeriesLayout(order.keys(), order.order());
  }

  private <T> RDD<T> computed(SeriesComputation<T> windows, ShuffledUnits units, Class<T> type) {
    return computed(windows, order, layout(), RowSpan.ALL, units, type);
  }

  /** Returns what tasks make of shuffled series, of which the result has the own rows. */
  private <T> RDD<T> computed(
      SeriesComputation<T> windows,
      UnitOrder by,
      SeriesLayout layout,
      OwnRows rows,
      ShuffledUnits units,
      Class<T> type) {
    WindowTask each = task;
    return units.readBatches(
        Collections.nCopies(units.groups().size(), 0),
        (context, none, own) ->
            each.ofBatches(context, own.flatMap(unit -> unit), layout, by, rows, windows),
        ScalaInterop.tag(type));
  }

  /**
   * Returns the columns of rows with those of their results, series by series, of which long ones
   * may be cut into ranges, in partitions of their own.
   *
   * @param stencils what is computed, each row of which depends on few others
   */
  public RDD<ColumnarBatch> runRanges(StagedStencils stencils) {
    Optional<SplitSeries> split = child.supportsColumnar() ? split(stencils) : Optional.empty();
    if (split.isPresent()) {
      return ofSplits(stencils, split.get());
    }
    MapOutput output = shuffled();
    if (output == null) {
      return ScalaInterop.noPartitions(child, ColumnarBatch.class);
    }
    SeriesComputation<ColumnarBatch> columns = stencils.ofColumns();
    SkewedSeries skewed = skewed(stencils, output);
    BitSet cut = skewed == null ? new BitSet() : skewed.partitions();
    RDD<ColumnarBatch> whole = computed(columns, units(output, cut), ColumnarBatch.class);
    if (skewed == null) {
      return whole;
    }
    SeriesLayout breakingTies = layout().breakingTies(stencils.cells());
    UnitOrder ofOne = UnitOrder.ofOneSeries(order.order(), stencils.cells(), stencils.rowSchema());
    WindowTask each = task;
    RDD<ColumnarBatch> ranges =
        skewed.ranges(
            (context, span, own) ->
                each.ofBatches(
                    context, own.flatMap(strip -> strip), breakingTies, ofOne, span, columns),
            ScalaInterop.tag(ColumnarBatch.class));
    RDD<ColumnarBatch> others =
        computed(columns, skewed.others(conf, GROUP_BYTES), ColumnarBatch.class);
    return union(ScalaInterop.seqOf(ranges, whole, others));
  }

  private RDD<ColumnarBatch> union(Seq<RDD<ColumnarBatch>> all) {
    return new UnionRDD<>(child.sparkContext(), all, ScalaInterop.tag(ColumnarBatch.class));
  }

  private Optional<SplitSeries> split(StagedStencils stencils) {
    // Rows are kept until the query ends; outside of one nothing says when.
    boolean inQuery = StencilRun.execution(child.sparkContext()) != null;
    if (!inQuery || !SessionOptions.ofSession(SqlOptions.FILES_ENABLED)) {
      return Optional.empty();
    }
    return SplitSeries.of(child, order, stencils.layout(), task.metric(StencilMetric.SORT_NANOS));
  }

  /** Returns rows that stay where they are read, and after them those near the cuts. */
  private RDD<ColumnarBatch> ofSplits(StagedStencils stencils, SplitSeries split) {
    long start = System.nanoTime();
    String execution = StencilRun.execution(child.sparkContext());
    MapOutput output = split.shuffle(conf.numShufflePartitions(), execution);
    count(output, start);
    WindowTask each = task;
    RDD<ColumnarBatch> stayed =
        split.stayed(
            (context, chunks) ->
                each.counted(
                    stencils.runChunks(context, stencils.none(), chunks, null, () -> {}),
                    StencilMetric.STAYED_ROWS));
    RDD<ColumnarBatch> sent =
        computed(
            stencils.ofColumns(),
            split.order(),
            split.layout(),
            split.own(),
            units(output, new BitSet()),
            ColumnarBatch.class);
    return union(ScalaInterop.seqOf(stayed, sent));
  }

  private void count(MapOutput output, long start) {
    task.metric(StencilMetric.SHUFFLED_BYTES).set(output.allBytes());
    task.setMillis(StencilMetric.SHUFFLE_MILLIS, start);
  }

  private ShuffledUnits units(MapOutput output, BitSet others) {
    return ShuffledUnits.of(output, conf, others, GROUP_BYTES, GROUP_BYTES);
  }

  private SkewedSeries skewed(StagedStencils stencils, MapOutput output) {
    long start = System.nanoTime();
    long least = SessionOptions.ofSession(SqlOptions.SKEWED_BYTES);
    SkewedSeries skewed =
        SkewedSeries.cut(output, layout(), stencils.plan().reach(), least, GROUP_BYTES);
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
  private MapOutput shuffled() {
    long start = System.nanoTime();
    int partitions = conf.numShufflePartitions();
    SeriesLayout layout = layout();
    MapInput input = MapInput.of(child, conf);
    if (input.tasks() == 0) {
      return null;
    }
    ShuffleDependency<Object, InternalRow, InternalRow> dependency =
        input.shuffles().of(ColumnShuffle.byKeys(layout, partitions), layout, partitions);
    MapOutput output = MapOutput.run(child.sparkContext(), dependency, layout.rows());
    count(output, start);
    return output.allBytes() == 0 ? null : output;
  }
}
