/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/** A projection with programs over arrays, computed for many rows at once. */
public final class ProgramProjectExec extends BatchedProjectExec {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the operator.
   *
   * @param projectList each of our programs in it is all of its column
   * @param child what is projected
   */
  public ProgramProjectExec(Seq<NamedExpression> projectList, SparkPlan child) {
    super(projectList, child);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ProgramProjectExec(projectList(), newChild);
  }

  @Override
  public RDD<InternalRow> doExecute() {
    ProgramProjectTask task =
        new ProgramProjectTask(
            projectList(), child().output(), SessionOptions.ofSession(), ownMetrics());
    return child()
        .execute()
        .mapPartitionsWithEvaluator(
            () -> (partition, inputs) -> task.run(partition, inputs.apply(0)),
            ScalaInterop.tag(InternalRow.class));
  }

  @Override
  public String verboseStringWithOperatorId() {
    StringBuilder text = new StringBuilder(super.verboseStringWithOperatorId());
    for (NamedExpression named : ScalaInterop.list(projectList())) {
      if (ArrayCall.wholeOf(named) instanceof ProgramExpression program) {
        text.append(
            "Engine of %s: %s%n"
                .formatted(named.name(), program.forecast(SessionOptions.ofSession())));
      }
    }
    return text.toString();
  }

  @Override
  public List<Object> elements() {
    return List.of(projectList(), child());
  }
}
