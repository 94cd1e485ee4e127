/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanExecBase;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.window.WindowExec;
import org.apache.spark.sql.internal.SQLConf$;
import scala.Option;

/**
 * Takes away projections below operators over series that only change the order of columns, where a
 * projection above gives them their order anyway. Spark's rule does so below operators that it
 * knows by name; what it asks of a projection is asked here too.
 */
final class NeedlessProjects {
  private NeedlessProjects() {}

  /** Returns the plan without them. */
  static SparkPlan removed(SparkPlan plan) {
    return (boolean) plan.conf().getConf(SQLConf$.MODULE$.REMOVE_REDUNDANT_PROJECTS_ENABLED())
        ? removed(plan, true, false)
        : plan;
  }

  /**
   * Rewrites a plan.
   *
   * @param fixed whether the order of its columns matters above
   * @param belowSeries whether its rows go to an operator over series as they are
   */
  private static SparkPlan removed(SparkPlan plan, boolean fixed, boolean belowSeries) {
    if (belowSeries && !fixed && plan instanceof ProjectExec project && isNeedless(project)) {
      return removed(project.child(), false, true);
    }
    boolean passes = passesColumns(plan);
    boolean fixedBelow = !(plan instanceof ProjectExec) && (!passes || fixed);
    boolean seriesAbove = plan instanceof StencilExec || (belowSeries && passes);
    return plan.mapChildren(child -> removed(child, fixedBelow, seriesAbove));
  }

  /** Tells whether an operator takes columns in any order and gives them in that order. */
  private static boolean passesColumns(SparkPlan plan) {
    return plan instanceof StencilExec
        || plan instanceof WindowExec
        || plan instanceof SortExec
        || plan instanceof FilterExec
        || (plan instanceof ShuffleExchangeExec exchange
            && exchange.shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$);
  }

  private static boolean isNeedless(ProjectExec project) {
    SparkPlan child = project.child();
    SparkPlan source = child instanceof FilterExec filter ? filter.child() : child;
    if (source instanceof DataSourceV2ScanExecBase scan && !scan.supportsColumnar()) {
      return false; // its rows need not be in Spark's binary format
    }
    Option<LogicalPlan> planned = project.logicalLink();
    return (planned.isEmpty() || planned.equals(child.logicalLink()))
        && haveSameColumns(sorted(project), sorted(child));
  }

  private static List<Attribute> sorted(SparkPlan plan) {
    return ScalaInterop.list(plan.output()).stream()
        .sorted(Comparator.comparingLong(column -> column.exprId().id()))
        .toList();
  }

  /** Tells whether {@code below} has the columns, which are null only where these may be. */
  private static boolean haveSameColumns(List<Attribute> columns, List<Attribute> below) {
    if (columns.size() != below.size()) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).exprId().equals(below.get(i).exprId())
          || (below.get(i).nullable() && !columns.get(i).nullable())) {
        return false;
      }
    }
    return true;
  }
}
