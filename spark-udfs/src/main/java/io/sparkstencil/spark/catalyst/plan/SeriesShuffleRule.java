/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/**
 * Takes away what operators over series do better by themselves: an exchange that Spark has put
 * below one, where nothing above makes use of where its rows are, as the operator shuffles in
 * batches, and operators over the same series take its rows as they are; and a sort of ranges, as
 * the operator reads ranges for their ends before it sorts them.
 *
 * <p>Projections that {@link NeedlessProjects} finds go first.
 */
public final class SeriesShuffleRule extends Rule<SparkPlan> {
  /** Applies the rule where adaptive execution, which applies others, is off. */
  public static final class WithoutAdaptiveExecution extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
      return new SeriesShuffleRule();
    }
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    return Guarded.plan(
        SeriesShuffleRule.class, plan, () -> rewritten(NeedlessProjects.removed(plan), false));
  }

  /**
   * Rewrites a plan.
   *
   * @param used whether it matters to operators above which partitions its rows are in
   */
  private static SparkPlan rewritten(SparkPlan plan, boolean used) {
    SparkPlan top = plan;
    if (!used
        && plan instanceof SeriesOperator operator
        && operator.canShuffle()
        && plan.children().apply(0) instanceof ShuffleExchangeExec exchange
        && exchange.outputPartitioning() instanceof HashPartitioning
        && exchange.shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$) {
      top = operator.shuffling(exchange.child());
      top.copyTagsFrom(plan);
    } else if (plan instanceof StencilExec stencil
        && stencil.child() instanceof SortExec sort
        && stencil.withNewChildInternal(sort.child()) instanceof StencilExec unsorted
        && unsorted.isRanged()) {
      top = unsorted;
      top.copyTagsFrom(plan);
    }
    List<SparkPlan> children = ScalaInterop.list(top.children());
    List<Distribution> wanted = ScalaInterop.list(top.requiredChildDistribution());
    List<SparkPlan> replaced = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < children.size(); i++) {
      boolean passedOn = used && !(top instanceof Exchange);
      boolean needed =
          wanted.get(i) != UnspecifiedDistribution$.MODULE$
              && (used || !takesSeries(top, children.get(i)));
      SparkPlan child = rewritten(children.get(i), needed || passedOn);
      replaced.add(child);
      changed |= child != children.get(i);
    }
    return changed ? top.withNewChildren(ScalaInterop.seq(replaced)) : top;
  }

  /** Tells whether an operator takes the series of one below, wherever that has put them. */
  private static boolean takesSeries(SparkPlan plan, SparkPlan child) {
    return plan instanceof SeriesOperator operator && operator.order().below(child) != null;
  }
}
