/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.inputs.GroupedInput;
import io.sparkstencil.spark.catalyst.inputs.NarrowPlan;
import io.sparkstencil.spark.catalyst.inputs.RunningInput;
import io.sparkstencil.spark.catalyst.inputs.SeriesShuffle;
import io.sparkstencil.spark.catalyst.inputs.SeriesWindowTask;
import io.sparkstencil.spark.catalyst.inputs.SharedRanges;
import io.sparkstencil.spark.catalyst.inputs.StencilMetric;
import io.sparkstencil.spark.catalyst.inputs.StencilRun;
import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Computes ranks, and windows whose frames have ends without bounds. The rows of one series of all
 * rows are spread over partitions by ranges of their order, or stay where they are if the child has
 * such ranges; each partition starts from what the driver knows of the partitions before it. Series
 * given by keys are brought together, and each starts afresh.
 */
public final class RunningWindowExec extends SparkPlan
    implements UnaryExecNode, CaseClass, SeriesOperator, NarrowPlan.Narrowing {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windowExpression;
  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final boolean shuffling;
  private final SparkPlan child;
  private final transient Object metricsLock = new Object();
  private transient java.util.Map<StencilMetric, SQLMetric> metrics;
  private transient SharedRanges shared; // held for operators that run later

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param windowExpression windows with their names; those whose frames end with ties come last
   * @param partitionSpec keys of the series; empty if all rows are one series
   * @param orderSpec the order of each series
   * @param shuffling whether the operator brings the rows of series together by itself
   * @param child the rows
   */
  public RunningWindowExec(
      Seq<NamedExpression> windowExpression,
      Seq<Expression> partitionSpec,
      Seq<SortOrder> orderSpec,
      boolean shuffling,
      SparkPlan child) {
    this.windowExpression = windowExpression;
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.shuffling = shuffling;
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
    if (order().hasKeys()) {
      frames();
    } else {
      plan().start();
    }
    return this;
  }

  private SeriesFrames frames() {
    return SeriesFrames.of(windowExpression, orderSpec, child.output());
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
    return with(shuffling, newChild);
  }

  private RunningWindowExec with(boolean newShuffling, SparkPlan newChild) {
    return new RunningWindowExec(
        windowExpression, partitionSpec, orderSpec, newShuffling, newChild);
  }

  @Override
  public SparkPlan shuffling(SparkPlan newChild) {
    return with(true, newChild);
  }

  @Override
  public boolean isShuffling() {
    return shuffling;
  }

  @Override
  public boolean canShuffle() {
    return order().hasKeys() && !shuffling && order().canBeCollected(child.output());
  }

  @Override
  public SeriesOrder order() {
    return new SeriesOrder(partitionSpec, orderSpec);
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
  public Seq<Distribution> requiredChildDistribution() {
    return order().hasKeys() && !shuffling
        ? order().distribution(child)
        : ScalaInterop.seqOf(UnspecifiedDistribution$.MODULE$);
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    boolean sorted = order().hasKeys() && !order().canBeCollected(child.output());
    return ScalaInterop.seqOf(sorted ? order().full() : ScalaInterop.<SortOrder>seqOf());
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return order().full();
  }

  @Override
  public Partitioning outputPartitioning() {
    if (order().hasKeys()) {
      return shuffling ? new UnknownPartitioning(0) : child.outputPartitioning();
    }
    return isSorted()
        ? child.outputPartitioning()
        // How many ranges there are is known when it runs; what matters is that it is not one.
        : new RangePartitioning(orderSpec, Math.max(2, conf().numShufflePartitions()));
  }

  /** Tells whether the child has all rows in one partition and in order. */
  private boolean isSorted() {
    return !order().hasKeys()
        && child.outputPartitioning() instanceof SinglePartition$
        && hasOrder()
        && (!plan().needsTotal() || KnownOrder.canBeReadAgain(child));
  }

  private boolean isRanged() {
    return !order().hasKeys() && KnownOrder.hasRanges(child, orderSpec);
  }

  /** Tells whether the child's partitions each have their rows in the windows' order. */
  private boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child.outputOrdering(), order().full());
  }

  /** Tells whether rows and results are the same when they are read again. */
  boolean canBeReadAgain() {
    return !order().hasKeys() && (!staysInPlace() || KnownOrder.canBeReadAgain(child));
  }

  /**
   * Tells whether rows that tie are in the same order each time, which the results, or those of
   * windows below, depend on.
   */
  boolean ordersTies() {
    return !order().hasKeys()
        && (plan().dependsOnTies() || (staysInPlace() && KnownOrder.isOfWindows(child)));
  }

  /** Tells whether rows stay in the child's partitions. */
  private boolean staysInPlace() {
    return isSorted() || isRanged();
  }

  /** Where the child has the same rows in the same order, its own columns come from there. */
  @Override
  public SparkPlan without(Predicate<NamedExpression> unwanted) {
    boolean unneeded = ScalaInterop.list(windowExpression).stream().allMatch(unwanted);
    return unneeded && staysInPlace() && hasOrder() && child instanceof NarrowPlan.Narrowing below
        ? below.without(unwanted)
        : this;
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
    RDD<InternalRow> result = order().hasKeys() ? grouped() : oneSeries();
    StencilRun.post(sparkContext(), runningMetrics());
    return result;
  }

  private RDD<InternalRow> grouped() {
    SeriesWindowTask task = new SeriesWindowTask(frames(), runningMetrics());
    UnitOrder by = order().unitOrder(child.output());
    return shuffling
        ? SeriesShuffle.run(task, by, conf(), child.execute())
        : new GroupedInput(task, by, hasOrder()).run(child.execute());
  }

  private RDD<InternalRow> oneSeries() {
    RunningInput input =
        new RunningInput(plan(), orderSpec, child, KnownOrder.isOfWindows(child), runningMetrics());
    if (staysInPlace()) {
      return input.ranged(hasOrder());
    }
    shared = SharedRanges.of(StencilRun.execution(sparkContext()), child, orderSpec);
    return input.shuffled(shared, conf());
  }

  @Override
  public String argString(int maxFields) {
    return windowExpression.mkString("[", ", ", "]")
        + order().text()
        + (isRanged() ? " (known, nothing is shuffled)" : "");
  }

  @Override
  public String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public List<Object> elements() {
    return List.of(windowExpression, partitionSpec, orderSpec, shuffling, child);
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
