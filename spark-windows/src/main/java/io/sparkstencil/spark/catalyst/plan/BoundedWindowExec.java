/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.running.BoundedPlan;
import io.sparkstencil.spark.catalyst.source.BoundedInput;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/**
 * Computes windows of one series whose frames lie between two bounds. Each task also reads the rows
 * beside its own that its frames reach.
 */
public final class BoundedWindowExec extends OneSeriesExec {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<SortOrder> orderSpec;

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names
   * @param orderSpec the order of all of them
   * @param way whether columns come out
   * @param child the rows
   */
  public BoundedWindowExec(
      Seq<NamedExpression> windowExpression,
      Seq<SortOrder> orderSpec,
      SeriesWay way,
      SparkPlan child) {
    super(windowExpression, orderSpec, way, child);
    this.windowExpression = windowExpression;
    this.orderSpec = orderSpec;
  }

  private BoundedPlan windowPlan() {
    return new BoundedPlan(windowExpression, orderSpec, child().output(), zone());
  }

  @Override
  void plan() {
    windowPlan().frames();
  }

  @Override
  SparkPlan with(SeriesWay newWay, SparkPlan newChild) {
    return new BoundedWindowExec(windowExpression, orderSpec, newWay, newChild);
  }

  @Override
  LoopPlan.Choice loops() {
    LoopPlan.Choice all = super.loops();
    return all.isLoops() && all.plan().growsFrames()
        ? LoopPlan.Choice.not("frames with one bound start from rows of other ranges")
        : all;
  }

  @Override
  boolean readsOnePartitionTwice() {
    return false;
  }

  @Override
  boolean readsNeighbours() {
    return true;
  }

  @Override
  boolean ordersTies() {
    return true;
  }

  /** Rows and their order are the same without some of the windows. */
  @Override
  public SparkPlan without(Predicate<NamedExpression> unwanted) {
    List<NamedExpression> kept = new ArrayList<>(ScalaInterop.list(windowExpression));
    kept.removeIf(unwanted);
    return new BoundedWindowExec(ScalaInterop.seq(kept), orderSpec, way(), child());
  }

  @Override
  Set<StencilMetric> counted() {
    return StencilMetric.OF_BOUNDED_WINDOWS;
  }

  @Override
  OneSeriesInput input() {
    boolean keepsTies = KnownOrder.isOfWindows(child());
    return new BoundedInput(windowPlan(), orderSpec, rows(), columns(), keepsTies, counts());
  }
}
