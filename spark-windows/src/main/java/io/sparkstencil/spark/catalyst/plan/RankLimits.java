/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.rows.RankLimit;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.plans.logical.WindowGroupLimit;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.Final$;
import org.apache.spark.sql.execution.window.WindowGroupLimitExec;

/**
 * The rows of windows of which a query wants few of each series, such as {@code WHERE n <= 10} over
 * a rank. Spark limits them before and after it brings them together, each time over sorted rows.
 * Ours needs no order before. After, our operator of series computes what is left, and the query's
 * own filter drops what is too much; one series of all rows, which comes together in one task, is
 * limited by Spark once more.
 */
final class RankLimits {
  private RankLimits() {}

  /**
   * Returns the plan of the rows of windows.
   *
   * @param planned returns the plan of rows further below
   */
  static SparkPlan rows(Window window, Function<LogicalPlan, SparkPlan> planned) {
    if (!(window.child() instanceof WindowGroupLimit few)
        || !few.partitionSpec().equals(window.partitionSpec())
        || !few.orderSpec().equals(window.orderSpec())) {
      return planned.apply(window.child());
    }
    RankLimit limit = RankLimit.of(few.rankLikeFunction(), few.limit());
    if (limit == null || !SeriesLimitExec.canLimit(few.partitionSpec(), few.child().output())) {
      return planned.apply(few);
    }
    SparkPlan limited =
        new SeriesLimitExec(
            few.partitionSpec(), few.orderSpec(), limit, planned.apply(few.child()));
    return few.partitionSpec().isEmpty()
        ? new WindowGroupLimitExec(
            few.partitionSpec(),
            few.orderSpec(),
            few.rankLikeFunction(),
            few.limit(),
            Final$.MODULE$,
            limited)
        : limited;
  }
}
