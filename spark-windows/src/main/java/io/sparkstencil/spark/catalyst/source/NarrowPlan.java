/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.source.files.NarrowScan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.CollapseCodegenStages;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;

/**
 * Plans that read some columns of another plan's rows. What scans of files and of cached tables,
 * and projections and filters over them, would read and compute for other columns is left out.
 */
public final class NarrowPlan {
  private final Set<ExprId> wanted = new HashSet<>();
  private boolean compiled; // whether what is below comes with its code

  /** An operator that adds columns to the rows of its child, some of which can be left out. */
  public interface Narrowing {
    /**
     * Returns an operator whose rows lack some columns, and are otherwise the same; null if nothing
     * can be left out.
     */
    SparkPlan without(Predicate<NamedExpression> unwanted);
  }

  private NarrowPlan(List<? extends Expression> wanted) {
    wanted.forEach(this::want);
  }

  /**
   * Returns a plan that has all rows of {@code plan}, computed anew, and at least the columns that
   * {@code expressions} refer to; {@code plan} itself where that would spare nothing.
   */
  public static SparkPlan of(SparkPlan plan, List<? extends Expression> expressions) {
    NarrowPlan made = new NarrowPlan(expressions);
    SparkPlan narrow = made.narrowed(plan);
    if (narrow == null || narrow.output().size() == plan.output().size()) {
      return plan;
    }
    return made.compiled ? narrow : new CollapseCodegenStages(new AtomicInteger()).apply(narrow);
  }

  private void want(Expression expression) {
    ScalaInterop.list(expression.references().toSeq()).forEach(each -> wanted.add(each.exprId()));
  }

  /** Returns what a node hands on in another form, or null where it does more. */
  static SparkPlan below(SparkPlan plan) {
    if (plan instanceof WholeStageCodegenExec
        || plan instanceof InputAdapter
        || plan instanceof ColumnarToRowTransition) {
      return plan.children().apply(0);
    }
    return plan instanceof TableCacheQueryStageExec stage ? stage.plan() : null;
  }

  /** Returns what has a plan's rows as batches of columns before they become rows, or null. */
  static SparkPlan columnar(SparkPlan plan) {
    if (plan instanceof WholeStageCodegenExec) {
      return columnar(plan.children().apply(0));
    }
    return plan instanceof ColumnarToRowExec rows ? rows.child() : null;
  }

  /** Returns the narrow plan, or null where a node is not known. */
  private SparkPlan narrowed(SparkPlan plan) {
    SparkPlan below = below(plan);
    if (below != null) {
      return narrowed(below);
    } else if (plan instanceof ProjectExec project) {
      List<NamedExpression> kept =
          ScalaInterop.list(project.projectList()).stream().filter(this::isWanted).toList();
      kept.forEach(each -> want((Expression) each));
      SparkPlan child = narrowed(project.child());
      return child == null ? null : new ProjectExec(ScalaInterop.seq(kept), child);
    } else if (plan instanceof FilterExec filter) {
      want(filter.condition());
      SparkPlan child = narrowed(filter.child());
      return child == null ? null : new FilterExec(filter.condition(), child);
    } else if (plan instanceof Narrowing operator) {
      compiled = true;
      return operator.without(column -> !isWanted(column));
    } else if (plan instanceof InMemoryTableScanExec table) {
      List<Attribute> kept =
          ScalaInterop.list(table.attributes()).stream().filter(this::isWanted).toList();
      return rows(
          new InMemoryTableScanExec(ScalaInterop.seq(kept), table.predicates(), table.relation()));
    }
    FileSourceScanExec scan = NarrowScan.of(plan, this::isWanted);
    return scan == null ? null : rows(scan);
  }

  private boolean isWanted(NamedExpression column) {
    return wanted.contains(column.exprId());
  }

  private static SparkPlan rows(SparkPlan scan) {
    return scan.supportsColumnar() ? new ColumnarToRowExec(scan) : scan;
  }
}
