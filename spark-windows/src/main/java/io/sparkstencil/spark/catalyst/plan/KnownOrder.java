/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.SqlOptions;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.PartitioningCollection;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.adaptive.ResultQueryStageExec;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.window.WindowExec;
import scala.collection.immutable.Seq;

/** What Spark knows of the order of a plan's rows over all partitions. */
final class KnownOrder {
  private KnownOrder() {}

  /**
   * Tells whether the partitions of a plan follow each other in an order, rows that are equal in it
   * lie in one partition, and the plan gives the same rows when it is read again. Whether the rows
   * of each partition are in order is another matter.
   */
  static boolean hasRanges(SparkPlan plan, Seq<SortOrder> order) {
    return !SessionOptions.ofSession(SqlOptions.ROWS_AS_SPARK)
        && isRange(plan.outputPartitioning(), ScalaInterop.list(order))
        && canBeReadAgain(plan);
  }

  private static boolean passesOn(SparkPlan plan) {
    return plan instanceof ProjectExec
        || plan instanceof ColumnarToRowTransition
        || plan instanceof WholeStageCodegenExec
        || plan instanceof InputAdapter;
  }

  private static boolean isRange(Partitioning partitioning, List<SortOrder> order) {
    if (partitioning instanceof PartitioningCollection several) {
      return ScalaInterop.list(several.partitionings()).stream()
          .anyMatch(each -> isRange(each, order));
    }
    if (!(partitioning instanceof RangePartitioning range)) {
      return false;
    }
    // Ranges of a finer order may have divided rows that are equal in this one.
    List<SortOrder> bounds = ScalaInterop.list(range.ordering());
    if (bounds.size() > order.size()) {
      return false;
    }
    for (int i = 0; i < bounds.size(); i++) {
      if (!bounds.get(i).satisfies(order.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tells whether all that is computed above exchanges is the same each time. Rows of cached tables
   * are computed again where they were lost or not kept.
   */
  static boolean canBeReadAgain(SparkPlan plan) {
    if (plan instanceof InMemoryTableScanExec scan) {
      return canBeReadAgain(scan.relation().cachedPlan());
    } else if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return canBeReadAgain(adaptive.executedPlan());
    } else if (plan instanceof TableCacheQueryStageExec || plan instanceof ResultQueryStageExec) {
      return canBeReadAgain(((QueryStageExec) plan).plan());
    }
    if (plan instanceof Exchange
        || plan instanceof ReusedExchangeExec
        || plan instanceof QueryStageExec
        || plan instanceof RangeExec) {
      return true;
    }
    if (plan instanceof StencilExec windows) {
      return windows.canBeReadAgain();
    }
    boolean known =
        plan instanceof ProjectExec
            || plan instanceof FilterExec
            || plan instanceof SortExec
            || plan instanceof AQEShuffleReadExec
            || plan instanceof ColumnarToRowTransition
            || plan instanceof WholeStageCodegenExec
            || plan instanceof InputAdapter;
    return known
        && ScalaInterop.list(plan.expressions()).stream().allMatch(Expression::deterministic)
        && ScalaInterop.list(plan.children()).stream().allMatch(KnownOrder::canBeReadAgain);
  }

  /**
   * Tells whether the rows come straight from windows that another operator computes. Rows that tie
   * then stay as these have seen them, since both may be windows of one query.
   */
  static boolean isOfWindows(SparkPlan plan) {
    if (passesOn(plan)) {
      return isOfWindows(plan.children().apply(0));
    }
    return plan instanceof WindowExec
        || (plan instanceof StencilExec windows && windows.ordersTies());
  }
}
