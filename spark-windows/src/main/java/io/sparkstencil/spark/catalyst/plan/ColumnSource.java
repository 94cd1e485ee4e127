/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.ColumnProjection;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.CollapseCodegenStages;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;

/** The columns that a plan makes its rows of. */
final class ColumnSource {
  private ColumnSource() {}

  /**
   * Returns a plan of columns with the rows of another, or null if rows it makes are not of columns
   * that the JVM reads. Projections and filters between work on columns then.
   */
  static SparkPlan of(SparkPlan plan) {
    if (plan instanceof ColumnarToRowTransition rows) {
      return of(rows.child());
    } else if (plan instanceof ProjectExec project) {
      return ofProject(project);
    } else if (plan instanceof FilterExec filter) {
      return ofFilter(filter);
    }
    return plan.supportsColumnar() && isOfSpark(plan) ? plan : null;
  }

  /**
   * Returns a plan of rows with the columns of another, or that one if it has rows. Code is
   * generated for it where that ends at a scan: what lies below any other operator has its own
   * already, and Spark would put that into code once more.
   */
  static SparkPlan rows(SparkPlan plan) {
    if (!plan.supportsColumnar()) {
      return plan;
    }
    SparkPlan rows = rowsOfColumns(plan);
    return source(plan).children().isEmpty()
        ? new CollapseCodegenStages(new AtomicInteger()).apply(rows)
        : rows;
  }

  private static SparkPlan source(SparkPlan plan) {
    return plan instanceof ColumnOperator operator ? source(operator.child()) : plan;
  }

  private static SparkPlan rowsOfColumns(SparkPlan plan) {
    return plan instanceof ColumnOperator operator
        ? operator.overRows().withNewChildren(ScalaInterop.seqOf(rowsOfColumns(operator.child())))
        : new ColumnarToRowExec(plan);
  }

  private static SparkPlan ofProject(ProjectExec project) {
    boolean columns =
        ScalaInterop.list(project.projectList()).stream().allMatch(ColumnProjection::isColumn);
    SparkPlan below = columns ? of(project.child()) : null;
    return below == null
        ? null
        : replaced(project, new ColumnProjectExec(project.projectList(), below));
  }

  private static SparkPlan ofFilter(FilterExec filter) {
    Expression condition = filter.condition();
    boolean columns = condition.deterministic() && ColumnProjection.isRead(condition);
    SparkPlan below = columns ? of(filter.child()) : null;
    return below == null ? null : replaced(filter, new ColumnFilterExec(condition, below));
  }

  private static SparkPlan replaced(SparkPlan plan, SparkPlan made) {
    made.copyTagsFrom(plan);
    return made;
  }

  /** Tells whether columns are Spark's own, or ours, and so in memory that the JVM reads. */
  private static boolean isOfSpark(SparkPlan plan) {
    return plan instanceof FileSourceScanExec
        || plan instanceof InMemoryTableScanExec
        || plan instanceof TableCacheQueryStageExec
        || plan instanceof BatchScanExec
        || plan instanceof ColumnOperator
        || plan instanceof StencilExec;
  }
}
