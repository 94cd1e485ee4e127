/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.inputs.GroupedInput;
import io.sparkstencil.spark.catalyst.inputs.SeriesShuffle;
import io.sparkstencil.spark.catalyst.inputs.SeriesWindowTask;
import io.sparkstencil.spark.catalyst.inputs.StencilMetric;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SparkOptions;
import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
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
import scala.collection.immutable.Seq;

/** Computes windows of series given by keys. Their rows are brought together and collected. */
public final class SeriesWindowExec extends WindowOperator implements SeriesOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final boolean shuffling;

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names
   * @param partitionSpec keys of the series
   * @param orderSpec the order of each series
   * @param shuffling whether the operator brings the rows of series together by itself
   * @param child the rows
   */
  public SeriesWindowExec(
      Seq<NamedExpression> windowExpression,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean shuffling,
      SparkPlan child) {
    super(windowExpression, new SeriesOrder(partitionSpec, orderSpec), child);
    this.windowExpression = windowExpression;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.shuffling = shuffling;
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
    return with(shuffling, newChild);
  }

  private SeriesWindowExec with(boolean newShuffling, SparkPlan newChild) {
    return new SeriesWindowExec(windowExpression, partitionSpec, orderSpec, newShuffling, newChild);
  }

  @Override
  public SparkPlan shuffling(SparkPlan newChild) {
    return with(true, newChild);
  }

  @Override
  public SparkPlan overColumns(SparkPlan columns, boolean cutting) {
    return with(true, columns);
  }

  @Override
  public boolean isShuffling() {
    return shuffling;
  }

  @Override
  public boolean canShuffle() {
    return !shuffling && order().canBeCollected(child().output());
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    return shuffling
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
    return shuffling ? new UnknownPartitioning(0) : child().outputPartitioning();
  }

  @Override
  Set<StencilMetric> counted() {
    return StencilMetric.OF_SERIES_WINDOWS;
  }

  @Override
  RDD<InternalRow> results() {
    SeriesWindowTask task = new SeriesWindowTask(frames(), SparkOptions.ofSession(), counts());
    UnitOrder by = order().unitOrder(child().output());
    if (!shuffling) {
      return new GroupedInput(task, by, hasOrder()).run(child().execute());
    }
    return isOfColumns()
        ? SeriesShuffle.runCollected(task, by, conf(), child())
        : SeriesShuffle.run(task, by, conf(), child());
  }

  /** Tells whether the operator brings rows together as columns. */
  private boolean isOfColumns() {
    return shuffling && order().reasonAgainstColumns(child().output()).isEmpty();
  }

  @Override
  String remark() {
    return isOfColumns() ? ", shuffled as columns" : "";
  }

  @Override
  public List<Object> elements() {
    return List.of(windowExpression, partitionSpec, orderSpec, shuffling, child());
  }
}
