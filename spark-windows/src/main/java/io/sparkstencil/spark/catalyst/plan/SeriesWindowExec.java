/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.source.GroupedInput;
import io.sparkstencil.spark.catalyst.source.MixedWindows;
import io.sparkstencil.spark.catalyst.source.SeriesShuffle;
import io.sparkstencil.spark.catalyst.source.SeriesWindowTask;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import java.util.List;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/** Computes windows of series given by keys. Their rows are brought together and collected. */
public final class SeriesWindowExec extends WindowOperator implements SeriesOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final SeriesWay way;

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names
   * @param partitionSpec keys of the series
   * @param orderSpec the order of each series
   * @param way how the rows of series are brought together, never in ranges
   * @param child the rows
   */
  public SeriesWindowExec(
      Seq<NamedExpression> windowExpression,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      SeriesWay way,
      SparkPlan child) {
    super(windowExpression, new SeriesOrder(partitionSpec, orderSpec), child);
    this.windowExpression = windowExpression;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.way = way;
  }

  private SeriesFrames frames() {
    return SeriesFrames.of(windowExpression, orderSpec, child().output(), zone());
  }

  @Override
  void plan() {
    frames();
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return with(way, newChild);
  }

  private SeriesWindowExec with(SeriesWay newWay, SparkPlan newChild) {
    return new SeriesWindowExec(windowExpression, partitionSpec, orderSpec, newWay, newChild);
  }

  @Override
  public SparkPlan shuffling(SparkPlan newChild) {
    return with(SeriesWay.ROWS, newChild);
  }

  @Override
  public SparkPlan overColumns(SparkPlan columns, boolean cutting) {
    boolean ofColumns = loops().isLoops() || mixed() != null;
    return with(ofColumns ? SeriesWay.COLUMNS : SeriesWay.ROWS, columns);
  }

  @Override
  public boolean isShuffling() {
    return way.isShuffling();
  }

  @Override
  public boolean canShuffle() {
    return !isShuffling() && order().canBeCollected(child().output());
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return isShuffling()
        ? ScalaInterop.seqOf(UnspecifiedDistribution$.MODULE$)
        : order().distribution(child());
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    boolean collected = order().canBeCollected(child().output());
    return ScalaInterop.seqOf(collected ? ScalaInterop.<SortOrder>seqOf() : order().full());
  }

  @Override
  public Partitioning outputPartitioning() {
    return isShuffling() ? new UnknownPartitioning(0) : child().outputPartitioning();
  }

  @Override
  Set<StencilMetric> counted() {
    return StencilMetric.OF_SERIES_WINDOWS;
  }

  @Override
  RDD<InternalRow> results() {
    UnitOrder by = order().unitOrder(child().output());
    if (!isShuffling()) {
      return new GroupedInput(task(), by, hasOrder()).run(child().execute());
    }
    return SeriesShuffle.runCollected(task(), by, conf(), child());
  }

  private SeriesWindowTask task() {
    return new SeriesWindowTask(frames(), SessionOptions.ofSession(), counts());
  }

  @Override
  boolean takesWholeSeries() {
    return true;
  }

  @Override
  public boolean supportsColumnar() {
    return way.isColumns();
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    UnitOrder by = order().unitOrder(child().output());
    LoopPlan.Choice loops = loops();
    MixedWindows mixed = mixed();
    LoopPlan plan = mixed == null ? loops.plan() : mixed.loops();
    RDD<ColumnarBatch> columns =
        plan == null
            ? packed(results()) // options may have changed since this was planned
            : SeriesShuffle.runLoops(task(), plan, mixed, by, conf(), child());
    StencilRun.post(sparkContext(), counts());
    return columns;
  }

  /** Returns the windows, if some are loops and others are none; else null. */
  private MixedWindows mixed() {
    return MixedWindows.of(windowExpression, orderSpec, child().output(), zone());
  }

  @Override
  String remark() {
    if (!isShuffling()) {
      return "";
    }
    LoopPlan.Choice loops = loops();
    if (loops.isLoops()) {
      return ", shuffled as columns, with columns of results";
    }
    return mixed() == null
        ? ", shuffled as columns, with rows of results as " + loops.reason()
        : ", shuffled as columns, with columns of results but for " + loops.reason();
  }

  @Override
  public List<Object> elements() {
    return List.of(windowExpression, partitionSpec, orderSpec, way, child());
  }
}
