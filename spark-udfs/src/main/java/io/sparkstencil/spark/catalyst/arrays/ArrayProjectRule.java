/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
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
import scala.collection.immutable.Seq;

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
      return SessionOptions.ofSession(StencilOptions.ARRAYS_BATCHED);
    }

    private static SparkPlan batched(SparkPlan plan) {
      SparkPlan rebuilt = plan.mapChildren(Batch::batched);
      return rebuilt instanceof ProjectExec project ? batchedProject(project) : rebuilt;
    }

    private static SparkPlan batchedProject(ProjectExec project) {
      List<NamedExpression> columns = ScalaInterop.list(project.projectList());
      boolean functions =
          columns.stream().anyMatch(named -> isDirect(named, ArrayExpression.class));
      boolean programs =
          columns.stream().anyMatch(named -> isDirect(named, ProgramExpression.class));
      // an operator computes either; programs are computed below functions
      Class<? extends ArrayCall> kind =
          functions || !programs ? ArrayExpression.class : ProgramExpression.class;
      NestedFunctions nested = new NestedFunctions();
      List<NamedExpression> above = new ArrayList<>();
      for (NamedExpression named : columns) {
        above.add(isDirect(named, kind) ? named : nested.takeOut(named));
      }
      boolean deterministic =
          columns.stream().allMatch(named -> ((Expression) named).deterministic());
      if (!nested.isEmpty() && deterministic) {
        Seq<NamedExpression> below = ScalaInterop.seq(nested.below(above, project.child()));
        return batchedProject(
            new ProjectExec(
                ScalaInterop.seq(above), batchedProject(new ProjectExec(below, project.child()))));
      }
      if (functions) {
        return new ArrayProjectExec(project.projectList(), project.child(), false);
      }
      return programs ? new ProgramProjectExec(project.projectList(), project.child()) : project;
    }

    private static boolean isDirect(NamedExpression named, Class<? extends ArrayCall> kind) {
      ArrayCall call = ArrayCall.wholeOf(named);
      return kind.isInstance(call) && !NestedFunctions.anyIn(call.array());
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
      return expression instanceof ArrayCall
          || (!isClosed(expression)
              && ScalaInterop.list(expression.children()).stream()
                  .anyMatch(NestedFunctions::anyIn));
    }

    private static boolean isClosed(Expression expression) {
      return expression instanceof ConditionalExpression || expression instanceof LambdaFunction;
    }

    /**
     * Returns {@code named} with references to columns in place of its innermost functions; one
     * that is all of it has its name below, too.
     */
    NamedExpression takeOut(NamedExpression named) {
      return (NamedExpression)
          ((Expression) named)
              .mapChildren(
                  child ->
                      child instanceof ArrayCall call && !anyIn(call.array())
                          ? columnOf(call, named.name())
                          : takeOut(child));
    }

    private Expression takeOut(Expression expression) {
      if (isClosed(expression)) {
        return expression;
      }
      return expression instanceof ArrayCall function && !anyIn(function.array())
          ? columnOf(function, "_" + function.prettyName() + columns.size())
          : expression.mapChildren(this::takeOut);
    }

    private Attribute columnOf(ArrayCall function, String name) {
      for (Alias column : columns) {
        if (column.child().semanticEquals(function)) {
          return column.toAttribute();
        }
      }
      Alias made = Expressions.alias(function, name);
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
