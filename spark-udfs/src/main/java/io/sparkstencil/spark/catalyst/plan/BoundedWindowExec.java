/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.bounded.BoundedPlan;
import io.sparkstencil.spark.catalyst.inputs.BoundedInput;
import io.sparkstencil.spark.catalyst.inputs.NarrowPlan;
import io.sparkstencil.spark.catalyst.inputs.SharedRanges;
import io.sparkstencil.spark.catalyst.inputs.StencilMetric;
import io.sparkstencil.spark.catalyst.inputs.StencilRun;
import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Computes windows whose frames lie between two bounds, of one series of all rows, by Spark's own
 * frames. The rows are spread over partitions by ranges of their order, or stay where they are if
 * the child has such ranges; each task also reads the rows beside its own that its frames reach.
 */
public final class BoundedWindowExec extends SparkPlan
    implements UnaryExecNode, CaseClass, NarrowPlan.Narrowing {
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
   * @param windowExpression windows with their names, or what is computed of them
   * @param orderSpec the order of all of them
   * @param child the rows
   */
  public BoundedWindowExec(
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
  public BoundedWindowExec verified() {
    if (!missingInput().isEmpty()) {
      throw new IllegalStateException(
          "columns %s are not among %s".formatted(missingInput(), child.output()));
    }
    plan().frames();
    return this;
  }

  private BoundedPlan plan() {
    ZoneId zone = DateTimeUtils.getZoneId(conf().sessionLocalTimeZone());
    return new BoundedPlan(windowExpression, orderSpec, child.output(), zone);
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
    return new BoundedWindowExec(windowExpression, orderSpec, newChild);
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
    return child.outputPartitioning() instanceof SinglePartition$ && hasOrder();
  }

  private boolean isRanged() {
    return KnownOrder.hasRanges(child, orderSpec);
  }

  /** Tells whether the child's partitions each have their rows in the windows' order. */
  private boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child.outputOrdering(), orderSpec);
  }

  /** Tells whether rows stay in the child's partitions. */
  private boolean staysInPlace() {
    return isSorted() || isRanged();
  }

  /** Tells whether rows and results are the same when they are read again. */
  boolean canBeReadAgain() {
    return !staysInPlace() || KnownOrder.canBeReadAgain(child);
  }

  /** Rows and their order are the same without some of the windows. */
  @Override
  public SparkPlan without(Predicate<NamedExpression> unwanted) {
    List<NamedExpression> kept = new ArrayList<>(ScalaInterop.list(windowExpression));
    kept.removeIf(unwanted);
    return new BoundedWindowExec(ScalaInterop.seq(kept), orderSpec, child);
  }

  private java.util.Map<StencilMetric, SQLMetric> boundedMetrics() {
    synchronized (metricsLock) {
      if (metrics == null) {
        metrics = StencilMetric.create(sparkContext(), StencilMetric.OF_BOUNDED_WINDOWS);
      }
      return metrics;
    }
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(boundedMetrics()));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    BoundedInput input =
        new BoundedInput(plan(), orderSpec, child, KnownOrder.isOfWindows(child), boundedMetrics());
    RDD<InternalRow> result;
    if (staysInPlace()) {
      result = input.ranged(hasOrder());
    } else {
      shared = SharedRanges.of(StencilRun.execution(sparkContext()), child, orderSpec);
      result = input.shuffled(shared, conf());
    }
    StencilRun.post(sparkContext(), boundedMetrics());
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
    return other instanceof BoundedWindowExec that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
