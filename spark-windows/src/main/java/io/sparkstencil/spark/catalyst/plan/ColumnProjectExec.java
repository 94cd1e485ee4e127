/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.ColumnProjection;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Seq;

/** Hands on columns of batches, and computes others. */
public final class ColumnProjectExec extends ColumnOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> projectList;

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param projectList columns that {@link ColumnProjection} can make
   */
  public ColumnProjectExec(Seq<NamedExpression> projectList, SparkPlan child) {
    super(child);
    this.projectList = projectList;
  }

  @Override
  public SparkPlan overRows() {
    return new ProjectExec(projectList, child());
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ColumnProjectExec(projectList, newChild);
  }

  @Override
  public RDD<ColumnarBatch> doExecuteColumnar() {
    return child()
        .executeColumnar()
        .mapPartitionsWithEvaluator(
            new ColumnProjection(projectList, child().output()),
            ScalaInterop.tag(ColumnarBatch.class));
  }

  @Override
  public List<Object> elements() {
    return List.of(projectList, child());
  }
}
