/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.Seq;

/**
 * A projection of rows by an operator of ours, which has the columns, the partitioning and the
 * order of Spark's own.
 */
abstract class BatchedProjectExec extends UnaryOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> projectList;
  private final transient Object metricsLock = new Object();
  private transient ArrayProjectMetrics metrics;

  BatchedProjectExec(Seq<NamedExpression> projectList, SparkPlan child) {
    super(child);
    this.projectList = projectList;
  }

  final Seq<NamedExpression> projectList() {
    return projectList;
  }

  /** Returns the projection that this operator stands for. */
  private ProjectExec asProject() {
    return new ProjectExec(projectList, child());
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
}
