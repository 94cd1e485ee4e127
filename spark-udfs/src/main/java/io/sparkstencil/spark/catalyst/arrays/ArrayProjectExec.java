/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.arrays.ArrayPlan;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.plugin.CostModel;
import io.sparkstencil.spark.plugin.PartitionWork;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * A projection with array functions, computed for many rows at once. Takes rows; next to a columnar
 * source it reads the arrays out of the columns, and no rows are made before it.
 */
public final class ArrayProjectExec extends BatchedProjectExec {
  private static final long serialVersionUID = 1L;

  private final boolean columnarInput;

  /**
   * Creates the operator.
   *
   * @param projectList each of our functions in it is all of its column
   * @param child what is projected
   * @param columnarInput whether the child is asked for columns; it must have them then
   */
  public ArrayProjectExec(
      Seq<NamedExpression> projectList, SparkPlan child, boolean columnarInput) {
    super(projectList, child);
    this.columnarInput = columnarInput;
  }

  /** Returns this operator on the columns of {@code columns}. */
  ArrayProjectExec onColumns(SparkPlan columns) {
    return new ArrayProjectExec(projectList(), columns, true);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ArrayProjectExec(projectList(), newChild, columnarInput);
  }

  @Override
  public RDD<InternalRow> doExecute() {
    ArrayProjectTask task = task();
    ClassTag<InternalRow> tag = ScalaInterop.tag(InternalRow.class);
    return columnarInput
        ? child()
            .executeColumnar()
            .mapPartitionsWithEvaluator(
                () -> (partition, inputs) -> task.runColumnar(partition, inputs.apply(0)), tag)
        : child()
            .execute()
            .mapPartitionsWithEvaluator(
                () -> (partition, inputs) -> task.run(partition, inputs.apply(0)), tag);
  }

  private ArrayProjectTask task() {
    return new ArrayProjectTask(
        projectList(), child().output(), SessionOptions.ofSession(), ownMetrics());
  }

  @Override
  public String verboseStringWithOperatorId() {
    StringBuilder text = new StringBuilder(super.verboseStringWithOperatorId());
    String engine = SessionOptions.ofSession().get(StencilOptions.ENGINE);
    ArrayPlan plan = task().plan();
    Iterator<ArrayPlan.Result> results = plan.results().iterator();
    for (NamedExpression named : ScalaInterop.list(projectList())) {
      if (ArrayExpression.functionOf(named) != null) {
        PartitionWork work = plan.works().get(results.next().staging());
        text.append("Engine of %s: %s%n".formatted(named.name(), CostModel.forecast(engine, work)));
      }
    }
    return text.toString();
  }

  @Override
  public List<Object> elements() {
    return List.of(projectList(), child(), columnarInput);
  }
}
