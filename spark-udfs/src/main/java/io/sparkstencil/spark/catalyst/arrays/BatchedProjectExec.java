/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A projection of rows by an operator of ours, which has the columns, the partitioning and the
 * order of Spark's own. Operators are equal if they have equal {@link #elements}.
 */
abstract class BatchedProjectExec extends SparkPlan implements UnaryExecNode, CaseClass {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> projectList;
  private final SparkPlan child;
  private final transient Object metricsLock = new Object();
  private transient ArrayProjectMetrics metrics;

  BatchedProjectExec(Seq<NamedExpression> projectList, SparkPlan child) {
    this.projectList = projectList;
    this.child = child;
  }

  final Seq<NamedExpression> projectList() {
    return projectList;
  }

  /** Returns the projection that this operator stands for. */
  private ProjectExec asProject() {
    return new ProjectExec(projectList, child);
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
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public Seq<Attribute> output() {
    return asProject().output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return asProject().outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return asProject().outputOrdering();
  }

  /** Returns the metrics, made by the first call on the driver. */
  final ArrayProjectMetrics ownMetrics() {
    synchronized (metricsLock) {
      if (metrics == null) {
        metrics = ArrayProjectMetrics.create(sparkContext());
      }
      return metrics;
    }
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(ownMetrics().byName());
  }

  @Override
  public String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && getClass() == other.getClass()
        && elements().equals(((BatchedProjectExec) other).elements());
  }

  @Override
  public final int hashCode() {
    return elements().hashCode();
  }
}
