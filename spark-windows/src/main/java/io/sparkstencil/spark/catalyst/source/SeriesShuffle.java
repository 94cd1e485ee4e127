/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.MapOutput;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import io.sparkstencil.spark.catalyst.source.files.SplitSeries;
import io.sparkstencil.spark.conf.SqlOptions;
import java.io.Serializable;
import java.util.BitSet;
import java.util.Collections;
import java.util.Optional;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.UnionRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
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
   * Returns the rows with their results, series by series within a partition; tasks collect them as
   * columns.
   *
   * @param child the rows, or their columns
   */
  public static RDD<InternalRow> runCollected(
      SeriesWindowTask task, UnitOrder order, SQLConf conf, SparkPlan child) {
    SeriesLayout layout = new SeriesLayout(order.keys(), order.order());
    return collected(
        shuffled(task, order, conf, child),
        conf,
        child,
        (context, rows) -> task.runShuffled(context, rows, order, layout),
        ScalaInterop.tag(InternalRow.class));
  }

  /**
   * Returns the columns with those of their results, series by series within a partition.
   *
   * @param plan the windows that are loops
   * @param mixed all of them; null if there are no others
   */
  public static RDD<ColumnarBatch> runLoops(
      SeriesWindowTask task,
      LoopPlan plan,
      MixedWindows mixed,
      UnitOrder order,
      SQLConf conf,
      SparkPlan child) {
    SeriesLayout layout = new SeriesLayout(order.keys(), order.order());
    return collected(
        shuffled(task, order, conf, child),
        conf,
        child,
        (context, rows) -> task.runColumns(context, plan, mixed, rows, order, layout),
        ScalaInterop.tag(ColumnarBatch.class));
  }

  /**
   * What a task makes of the batches of its series.
   *
   * @param <T> what comes out
   */
  private interface ReduceTask<T> extends Serializable {
    Iterator<T> run(TaskContext context, Iterator<InternalRow> batches);
  }

  /** Returns what tasks make of the output of a map stage, null where there are no rows. */
  private static <T> RDD<T> collected(
      MapOutput output, SQLConf conf, SparkPlan child, ReduceTask<T> task, ClassTag<T> tag) {
    return output == null
        ? child.sparkContext().emptyRDD(tag)
        : collected(units(output, conf, new BitSet()), task, tag);
  }

  /** Returns what tasks make of shuffled series. */
  private static <T> RDD<T> collected(ShuffledUnits units, ReduceTask<T> task, ClassTag<T> tag) {
    return units.readBatches(
        Collections.nCopies(units.groups().size(), 0),
        (context, none, own) -> task.run(context, own.flatMap(unit -> unit)),
        tag);
  }

  /**
   * Returns the columns with those of their results, series by series.
   *
   * @param cutting whether a long series may be cut into ranges, in partitions of their own
   */
  public static RDD<ColumnarBatch> runColumns(
      StencilTask task, UnitOrder order, SQLConf conf, SparkPlan child, boolean cutting) {
    boolean cuts = cutting && !task.plan().wraps();
    Optional<SplitSeries> split =
        cuts && child.supportsColumnar() ? split(task, order, child) : Optional.empty();
    if (split.isPresent()) {
      return ofSplits(task, split.get(), conf, child);
    }
    MapOutput output = shuffled(task, order, conf, child);
    if (output == null) {
      return ScalaInterop.noPartitions(child, ColumnarBatch.class);
    }
    SeriesLayout layout = new SeriesLayout(order.keys(), order.order());
    SkewedSeries skewed = cuts ? skewed(task, layout, output) : null;
    BitSet cut = skewed == null ? new BitSet() : skewed.partitions();
    RDD<ColumnarBatch> whole = computed(task, order, layout, RowSpan.ALL, units(output, conf, cut));
    if (skewed == null) {
      return whole;
    }
    SeriesLayout breakingTies = layout.breakingTies(task.cells());
    UnitOrder ofOne = UnitOrder.ofOneSeries(order.order(), task.cells(), task.rowSchema());
    RDD<ColumnarBatch> ranges =
        skewed.ranges(
            (context, span, own) ->
                task.runShuffled(context, own.flatMap(strip -> strip), ofOne, breakingTies, span),
            ScalaInterop.tag(ColumnarBatch.class));
    RDD<ColumnarBatch> others =
        computed(task, order, layout, RowSpan.ALL, skewed.others(conf, GROUP_BYTES));
    return union(child, ScalaInterop.seqOf(ranges, whole, others));
  }

  private static RDD<ColumnarBatch> union(SparkPlan child, Seq<RDD<ColumnarBatch>> all) {
    return new UnionRDD<>(child.sparkContext(), all, ScalaInterop.tag(ColumnarBatch.class));
  }

  private static Optional<SplitSeries> split(StencilTask task, UnitOrder order, SparkPlan child) {
    // Rows are kept until the query ends; outside of one nothing says when.
    boolean inQuery = StencilRun.execution(child.sparkContext()) != null;
    if (!inQuery || !SessionOptions.ofSession(SqlOptions.FILES_ENABLED)) {
      return Optional.empty();
    }
    return SplitSeries.of(child, order, task.layout(), task.metric(StencilMetric.SORT_NANOS));
  }

  /** Returns rows that stay where they are read, and after them those near the cuts. */
  private static RDD<ColumnarBatch> ofSplits(
      StencilTask task, SplitSeries split, SQLConf conf, SparkPlan child) {
    long start = System.nanoTime();
    String execution = StencilRun.execution(child.sparkContext());
    MapOutput output = split.shuffle(conf.numShufflePartitions(), execution);
    count(task, output, start);
    RDD<ColumnarBatch> stayed =
        split.stayed(
            (context, chunks) ->
                task.runChunks(context, task.layout(), task.none(), chunks, null, () -> {})
                    .map(batch -> stayed(task, batch)));
    ShuffledUnits units = units(output, conf, new BitSet());
    return union(
        child,
        ScalaInterop.seqOf(
            stayed, computed(task, split.order(), split.layout(), split.own(), units)));
  }

  private static ColumnarBatch stayed(StencilTask task, ColumnarBatch batch) {
    task.metric(StencilMetric.STAYED_ROWS).add(batch.numRows());
    return batch;
  }

  private static void count(SeriesTask task, MapOutput output, long start) {
    task.metric(StencilMetric.SHUFFLED_BYTES).set(output.allBytes());
    task.metric(StencilMetric.SHUFFLE_MILLIS).set((System.nanoTime() - start) / 1_000_000);
  }

  /** Returns what tasks make of shuffled series. */
  private static RDD<ColumnarBatch> computed(
      StencilTask task, UnitOrder order, SeriesLayout layout, OwnRows rows, ShuffledUnits units) {
    return collected(
        units,
        (context, batches) -> task.runShuffled(context, batches, order, layout, rows),
        ScalaInterop.tag(ColumnarBatch.class));
  }

  private static ShuffledUnits units(MapOutput output, SQLConf conf, BitSet others) {
    return ShuffledUnits.of(output, conf, others, GROUP_BYTES, GROUP_BYTES);
  }

  private static SkewedSeries skewed(StencilTask task, SeriesLayout layout, MapOutput output) {
    long start = System.nanoTime();
    long least = SessionOptions.ofSession(SqlOptions.SKEWED_BYTES);
    SkewedSeries skewed = SkewedSeries.cut(output, layout, task.plan().reach(), least, GROUP_BYTES);
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
      SeriesTask task, UnitOrder order, SQLConf conf, SparkPlan child) {
    long start = System.nanoTime();
    int partitions = conf.numShufflePartitions();
    SeriesLayout layout = new SeriesLayout(order.keys(), order.order());
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
