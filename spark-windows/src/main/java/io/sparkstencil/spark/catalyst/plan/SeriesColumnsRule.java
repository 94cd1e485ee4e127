/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.RowWriters;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Keeps rows of series columns, once Spark has decided where rows are made of columns. An operator
 * that shuffles by itself reads what a scan has as it is, and stencils hand columns on.
 */
public final class SeriesColumnsRule extends ColumnarRule {
  @Override
  public Rule<SparkPlan> postColumnarTransitions() {
    return new Rule<>() {
      @Override
      public SparkPlan apply(SparkPlan plan) {
        return Guarded.plan(
            SeriesColumnsRule.class,
            plan,
            () -> {
              RowWriters.mark(plan);
              return ColumnsToRowsExec.below(null, rewritten(plan, true));
            });
      }
    };
  }

  /**
   * Rewrites a plan.
   *
   * @param cutting whether its series may come out in several partitions each
   */
  private static SparkPlan rewritten(SparkPlan plan, boolean cutting) {
    List<SparkPlan> replaced = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < plan.children().size(); i++) {
      SparkPlan child = plan.children().apply(i);
      boolean cut = cutting || SeriesOrder.moves(plan);
      boolean whole = plan.requiredChildDistribution().apply(i) != UnspecifiedDistribution$.MODULE$;
      boolean taken = plan instanceof StencilExec above && above.order().below(child) != null;
      replaced.add(ColumnsToRowsExec.below(plan, rewritten(child, cut && !whole && !taken)));
      changed |= replaced.get(i) != child;
    }
    SparkPlan top = changed ? plan.withNewChildren(ScalaInterop.seq(replaced)) : plan;
    return top instanceof StencilExec operator
            && (operator.isShuffling() || operator.isSpreading())
            && !top.supportsColumnar()
        ? withColumns(operator, operator.child(), cutting)
        : top;
  }

  private static SparkPlan withColumns(StencilExec plan, SparkPlan input, boolean cutting) {
    SparkPlan columns = ColumnSource.of(input);
    SparkPlan made = plan.overColumns(columns == null ? input : columns, cutting);
    made.copyTagsFrom(plan);
    return made.supportsColumnar() ? new ColumnarToRowExec(made) : made;
  }
}
