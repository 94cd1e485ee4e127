/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SparkOptions;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Puts the batched operator in the place of projections with array functions. A function inside
 * another expression is computed below, in an operator of its own, and a projection stays for the
 * rest. Functions that need not be evaluated for every row (in branches of conditions, in lambdas)
 * stay as they are, as do those outside projections.
 */
public final class ArrayProjectRule extends ColumnarRule {
  @Override
  public Rule<SparkPlan> preColumnarTransitions() {
    return new Batch();
  }

  @Override
  public Rule<SparkPlan> postColumnarTransitions() {
    return new TakeColumns();
  }

  /**
   * Takes back what RAPIDS has left on the CPU, and takes out what makes rows of columns right
   * before the batched operator.
   */
  private static final class TakeColumns extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      return Guarded.plan(ArrayProjectRule.class, plan, () -> onColumns(plan));
    }

    private static SparkPlan onColumns(SparkPlan plan) {
      SparkPlan rebuilt = plan.mapChildren(TakeColumns::onColumns);
      SparkPlan ours = RapidsRule.takeBack(rebuilt);
      if (ours != rebuilt && ours instanceof ProjectExec project && Batch.isOn()) {
        ours = Batch.batchedProject(project);
      }
      return ours instanceof ArrayProjectExec project
              && project.child() instanceof ColumnarToRowExec rows
          ? project.onColumns(rows.child())
          : ours;
    }
  }

  private static final class Batch extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      return isOn() ? Guarded.plan(ArrayProjectRule.class, plan, () -> batched(plan)) : plan;
    }

    private static boolean isOn() {
      return SparkOptions.ofSession(StencilOptions.ARRAYS_BATCHED);
    }

    private static SparkPlan batched(SparkPlan plan) {
      SparkPlan rebuilt = plan.mapChildren(Batch::batched);
      return rebuilt instanceof ProjectExec project ? batchedProject(project) : rebuilt;
    }

    private static SparkPlan batchedProject(ProjectExec project) {
      NestedFunctions nested = new NestedFunctions();
      List<NamedExpression> above = new ArrayList<>();
      boolean direct = false;
      boolean deterministic = true;
      for (NamedExpression named : ScalaInterop.list(project.projectList())) {
        boolean whole = isDirect(named);
        direct |= whole;
        deterministic &= ((Expression) named).deterministic();
        above.add(whole ? named : (NamedExpression) nested.takeOut((Expression) named));
      }
      if (nested.isEmpty() || !deterministic) {
        return direct
            ? new ArrayProjectExec(project.projectList(), project.child(), false)
            : project;
      }
      SparkPlan below =
          new ArrayProjectExec(
              ScalaInterop.seq(nested.below(above, project.child())), project.child(), false);
      return batchedProject(new ProjectExec(ScalaInterop.seq(above), below));
    }

    private static boolean isDirect(NamedExpression named) {
      ArrayExpression function = ArrayExpression.wholeOf(named);
      return function != null && !NestedFunctions.anyIn(function.array());
    }
  }

  /** Array functions taken out of the expressions around them. */
  private static final class NestedFunctions {
    private final List<Alias> columns = new ArrayList<>();

    boolean isEmpty() {
      return columns.isEmpty();
    }

    /** Tells whether an array function is in {@code expression} that can be taken out. */
    static boolean anyIn(Expression expression) {
      return expression instanceof ArrayExpression
          || (!isClosed(expression)
              && ScalaInterop.list(expression.children()).stream()
                  .anyMatch(NestedFunctions::anyIn));
    }

    private static boolean isClosed(Expression expression) {
      return expression instanceof ConditionalExpression || expression instanceof LambdaFunction;
    }

    /**
     * Returns {@code expression} with references to columns in place of its innermost functions.
     */
    Expression takeOut(Expression expression) {
      if (isClosed(expression)) {
        return expression;
      }
      return expression instanceof ArrayExpression function && !anyIn(function.array())
          ? columnOf(function)
          : expression.mapChildren(this::takeOut);
    }

    private Attribute columnOf(ArrayExpression function) {
      for (Alias column : columns) {
        if (column.child().semanticEquals(function)) {
          return column.toAttribute();
        }
      }
      Alias made = Expressions.alias(function, "_" + function.prettyName() + columns.size());
      columns.add(made);
      return made.toAttribute();
    }

    /**
     * Returns the projection below: the functions, and the columns of {@code child} that are used.
     */
    List<NamedExpression> below(List<NamedExpression> above, SparkPlan child) {
      List<NamedExpression> below = new ArrayList<>();
      for (Attribute attribute : ScalaInterop.list(child.output())) {
        if (above.stream()
            .anyMatch(named -> ((Expression) named).references().contains(attribute))) {
          below.add(attribute);
        }
      }
      below.addAll(columns);
      return below;
    }
  }
}
