/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.inputs.RunningInput;
import io.sparkstencil.spark.catalyst.inputs.SharedRanges;
import io.sparkstencil.spark.catalyst.inputs.StencilMetric;
import io.sparkstencil.spark.catalyst.inputs.StencilRun;
import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Computes ranks, and windows whose frames have ends without bounds, of one series of all rows. The
 * rows are spread over partitions by ranges of their order, or stay where they are if the child has
 * such ranges; each partition starts from what the driver knows of the partitions before it.
 */
public final class RunningWindowExec extends SparkPlan implements UnaryExecNode, CaseClass {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<SortOrder> orderSpec;
  private final SparkPlan child;
  private final transient Object metricsLock = new Object();
  private transient java.util.Map<StencilMetric, SQLMetric> metrics;
  private transient SharedRanges shared; // held for operators that run later

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names; those whose frames end with ties come last
   * @param orderSpec the order of all of them
   * @param child the rows
   */
  public RunningWindowExec(
      Seq<NamedExpression> windowExpression, Seq<SortOrder> orderSpec, SparkPlan child) {
    this.windowExpression = windowExpression;
    this.orderSpec = orderSpec;
    this.child = child;
  }

  /**
   * Returns this operator.
   *
   * @throws RuntimeException if its tasks could not be made, while Spark can still plan otherwise
   */
  public RunningWindowExec verified() {
    if (!missingInput().isEmpty()) {
      throw new IllegalStateException(
          "columns %s are not among %s".formatted(missingInput(), child.output()));
    }
    plan().start();
    return this;
  }

  private RunningPlan plan() {
    return new RunningPlan(windowExpression, orderSpec, child.output());
  }

  @Override
  public SparkPlan child() {
    return child;
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaInterop.seqOf(child);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new RunningWindowExec(windowExpression, orderSpec, newChild);
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public Seq<Attribute> output() {
    List<Attribute> results = new ArrayList<>();
    ScalaInterop.list(windowExpression).forEach(each -> results.add(each.toAttribute()));
    return ScalaInterop.concat(child.output(), ScalaInterop.seq(results));
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return orderSpec;
  }

  @Override
  public Partitioning outputPartitioning() {
    return isSorted()
        ? child.outputPartitioning()
        // How many ranges there are is known when it runs; what matters is that it is not one.
        : new RangePartitioning(orderSpec, Math.max(2, conf().numShufflePartitions()));
  }

  /** Tells whether the child has all rows in one partition and in order. */
  private boolean isSorted() {
    return child.outputPartitioning() instanceof SinglePartition$
        && hasOrder()
        && (!plan().needsTotal() || KnownOrder.canBeReadAgain(child));
  }

  private boolean isRanged() {
    return KnownOrder.hasRanges(child, orderSpec);
  }

  /** Tells whether the child's partitions each have their rows in the windows' order. */
  private boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child.outputOrdering(), orderSpec);
  }

  /** Tells whether rows and results are the same when they are read again. */
  boolean canBeReadAgain() {
    return (!isSorted() && !isRanged()) || KnownOrder.canBeReadAgain(child);
  }

  /** Tells whether rows that tie are in the same order each time, which the results depend on. */
  boolean ordersTies() {
    return plan().dependsOnTies();
  }

  private java.util.Map<StencilMetric, SQLMetric> runningMetrics() {
    synchronized (metricsLock) {
      if (metrics == null) {
        metrics = StencilMetric.create(sparkContext(), StencilMetric.OF_RUNNING_WINDOWS);
      }
      return metrics;
    }
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(runningMetrics()));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    RunningInput input = new RunningInput(plan(), orderSpec, child, runningMetrics());
    RDD<InternalRow> result;
    if (isSorted() || isRanged()) {
      result = input.ranged(hasOrder());
    } else {
      shared = SharedRanges.of(StencilRun.execution(sparkContext()), child, orderSpec);
      result = input.shuffled(shared, conf());
    }
    StencilRun.post(sparkContext(), runningMetrics());
    return result;
  }

  @Override
  public String argString(int maxFields) {
    return windowExpression.mkString("[", ", ", "]")
        + orderSpec.mkString(", order by [", ", ", "]")
        + (isRanged() ? " (known, nothing is shuffled)" : "");
  }

  @Override
  public String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public List<Object> elements() {
    return List.of(windowExpression, orderSpec, child);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RunningWindowExec that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
