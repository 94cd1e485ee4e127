/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import io.sparkstencil.spark.catalyst.source.NarrowPlan;
import io.sparkstencil.spark.catalyst.source.OneSeriesInput;
import io.sparkstencil.spark.catalyst.source.RunningInput;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/**
 * Computes ranks of one series, and windows of it whose frames have ends without bounds. Each
 * partition starts from what the driver knows of the partitions before it.
 */
public final class RunningWindowExec extends OneSeriesExec {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<SortOrder> orderSpec;

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names, by their {@link RunningPlan#place}
   * @param orderSpec the order of all of them
   * @param way whether columns come out
   * @param child the rows
   */
  public RunningWindowExec(
      Seq<NamedExpression> windowExpression,
      Seq<SortOrder> orderSpec,
      SeriesWay way,
      SparkPlan child) {
    super(windowExpression, orderSpec, way, child);
    this.windowExpression = windowExpression;
    this.orderSpec = orderSpec;
  }

  private RunningPlan windowPlan() {
    return new RunningPlan(windowExpression, orderSpec, child().output());
  }

  @Override
  void plan() {
    windowPlan().start();
  }

  @Override
  SparkPlan with(SeriesWay newWay, SparkPlan newChild) {
    return new RunningWindowExec(windowExpression, orderSpec, newWay, newChild);
  }

  @Override
  LoopPlan.Choice loops() {
    LoopPlan.Choice all = super.loops();
    return all.isLoops() && windowPlan().handsTextsOn()
        ? LoopPlan.Choice.not("ranges of one series hand no strings on to each other")
        : all;
  }

  @Override
  boolean readsOnePartitionTwice() {
    return windowPlan().needsTotal();
  }

  @Override
  boolean readsNeighbours() {
    return false;
  }

  @Override
  boolean ordersTies() {
    return windowPlan().dependsOnTies() || (staysInPlace() && KnownOrder.isOfWindows(child()));
  }

  /** Where the child has the same rows in the same order, its own columns come from there. */
  @Override
  public SparkPlan without(Predicate<NamedExpression> unwanted) {
    boolean unneeded = ScalaInterop.list(windowExpression).stream().allMatch(unwanted);
    return unneeded && staysInPlace() && hasOrder() && child() instanceof NarrowPlan.Narrowing below
        ? below.without(unwanted)
        : this;
  }

  @Override
  Set<StencilMetric> counted() {
    return StencilMetric.OF_RUNNING_WINDOWS;
  }

  @Override
  OneSeriesInput input() {
    boolean keepsTies = KnownOrder.isOfWindows(child());
    return new RunningInput(windowPlan(), orderSpec, rows(), columns(), keepsTies, counts());
  }
}
