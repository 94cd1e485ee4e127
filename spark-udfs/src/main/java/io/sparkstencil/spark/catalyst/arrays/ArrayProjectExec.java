/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SparkOptions;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
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
import scala.reflect.ClassTag;

/**
 * A projection with array functions, computed for many rows at once. Takes rows; next to a columnar
 * source it reads the arrays out of the columns, and no rows are made before it.
 */
public final class ArrayProjectExec extends SparkPlan implements UnaryExecNode, CaseClass {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> projectList;
  private final SparkPlan child;
  private final boolean columnarInput;
  private final transient Object metricsLock = new Object();
  private transient ArrayProjectMetrics metrics;

  /**
   * Creates the operator.
   *
   * @param projectList each of our functions in it is all of its column
   * @param child what is projected
   * @param columnarInput whether the child is asked for columns; it must have them then
   */
  public ArrayProjectExec(
      Seq<NamedExpression> projectList, SparkPlan child, boolean columnarInput) {
    this.projectList = projectList;
    this.child = child;
    this.columnarInput = columnarInput;
  }

  /** Returns this operator on the columns of {@code columns}. */
  ArrayProjectExec onColumns(SparkPlan columns) {
    return new ArrayProjectExec(projectList, columns, true);
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
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ArrayProjectExec(projectList, newChild, columnarInput);
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

  private ArrayProjectMetrics ownMetrics() {
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
  public RDD<InternalRow> doExecute() {
    ArrayProjectTask task =
        new ArrayProjectTask(projectList, child.output(), SparkOptions.ofSession(), ownMetrics());
    ClassTag<InternalRow> tag = ScalaInterop.tag(InternalRow.class);
    return columnarInput
        ? child
            .executeColumnar()
            .mapPartitionsWithEvaluator(
                () -> (partition, inputs) -> task.runColumnar(partition, inputs.apply(0)), tag)
        : child
            .execute()
            .mapPartitionsWithEvaluator(
                () -> (partition, inputs) -> task.run(partition, inputs.apply(0)), tag);
  }

  @Override
  public String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public List<Object> elements() {
    return List.of(projectList, child, columnarInput);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrayProjectExec that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
