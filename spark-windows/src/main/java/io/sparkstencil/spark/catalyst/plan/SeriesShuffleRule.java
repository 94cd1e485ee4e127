/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;

/**
 * Takes away what operators over series do better by themselves: an exchange that Spark has put
 * below one, as the operator shuffles in batches; and a sort of ranges, as the operator reads
 * ranges for their ends before it sorts them. An exchange stays where operators above depend on the
 * partition in which Spark has put each row, as joins do. To others, such as aggregates by the same
 * keys, it is enough that each series is in one partition.
 *
 * <p>Projections that {@link NeedlessProjects} finds go first.
 */
public final class SeriesShuffleRule extends Rule<SparkPlan> {
  /** What operators above make of the partitions of rows. */
  private enum Use {
    /** Nothing. */
    NONE,
    /** Rows with equal keys are in the same partition. */
    TOGETHER,
    /** Rows are in the partitions in which Spark's exchange puts them. */
    PLACED
  }

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
        SeriesShuffleRule.class, plan, () -> rewritten(NeedlessProjects.removed(plan), Use.NONE));
  }

  private static SparkPlan rewritten(SparkPlan plan, Use use) {
    SparkPlan top = plan;
    if (use != Use.PLACED
        && !SessionOptions.ofSession(SqlOptions.ROWS_AS_SPARK)
        && plan instanceof StencilExec operator
        && operator.canShuffle()
        && operator.child() instanceof ShuffleExchangeExec exchange
        && exchange.outputPartitioning() instanceof HashPartitioning partitioning
        && operator.order().hasAllKeys(partitioning.expressions())
        && exchange.shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$) {
      top = operator.shuffling(exchange.child());
      top.copyTagsFrom(plan);
    } else if (plan instanceof StencilExec stencil
        && stencil.child() instanceof SortExec sort
        && stencil.withNewChildInternal(sort.child()) instanceof StencilExec unsorted
        && unsorted.sortsRanges()) {
      top = unsorted;
      top.copyTagsFrom(plan);
    }
    List<SparkPlan> replaced = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < top.children().size(); i++) {
      SparkPlan child = top.children().apply(i);
      SparkPlan made = rewritten(child, useOfChild(top, i, use));
      replaced.add(made);
      changed |= made != child;
    }
    return changed ? top.withNewChildren(ScalaInterop.seq(replaced)) : top;
  }

  /** Returns what an operator, and those above, make of the partitions of one of its children. */
  private static Use useOfChild(SparkPlan plan, int child, Use ofPlan) {
    Distribution wanted = plan.requiredChildDistribution().apply(child);
    boolean isTogether =
        wanted instanceof ClusteredDistribution keys && keys.requiredNumPartitions().isEmpty();
    Use own = isTogether ? Use.TOGETHER : Use.PLACED;
    if (wanted == UnspecifiedDistribution$.MODULE$
        || takesSeries(plan, plan.children().apply(child))) {
      own = Use.NONE;
    }
    Use all = SeriesOrder.moves(plan) || own.compareTo(ofPlan) > 0 ? own : ofPlan;
    // Partitions of several children meet: series of one are not those of another.
    return all == Use.TOGETHER && plan.children().size() > 1 ? Use.PLACED : all;
  }

  /** Tells whether an operator takes the series of one below, wherever that has put them. */
  private static boolean takesSeries(SparkPlan plan, SparkPlan child) {
    return plan instanceof StencilExec operator && operator.order().below(child) != null;
  }
}
