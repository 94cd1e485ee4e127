/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.ResultQueryStageExec;
import org.junit.jupiter.api.Test;

/** Rows are few if Spark knows so. */
@WithSpark(options = "spark.stencil.sql.smallBytes=4m")
final class InputSizeSparkTest {
  private static SparkPlan plan(SparkSession spark) {
    return spark.range(3).queryExecution().sparkPlan();
  }

  @Test
  void fewRowsAreSmall(SparkSession spark) {
    assertThat(InputSize.isSmall(plan(spark))).isTrue();
  }

  @Test
  void moreThanAMillionRowsAreNotSmallHoweverFewBytesTheyTake(SparkSession spark) {
    Sessions.compile(spark);
    spark.conf().set("spark.stencil.sql.smallBytes", "1g");
    String some = "select id, id %% 2 = 0 as even from range(%d)";
    assertThat(InputSize.isSmall(planned(spark.sql(some.formatted(1_000_000))))).isTrue();
    assertThat(InputSize.isSmall(planned(spark.sql(some.formatted(1_000_001))))).isFalse();
  }

  @Test
  void rowsOfAStageThatHasRunCount(SparkSession spark) {
    Sessions.compile(spark);
    spark.conf().set("spark.stencil.sql.smallBytes", "1g");
    String some = "select /*+ repartition(3) */ 1 as one from range(%d) where id %% 2 < 5";
    assertThat(InputSize.isSmall(ran(spark.sql(some.formatted(1_000_000))))).isTrue();
    assertThat(InputSize.isSmall(ran(spark.sql(some.formatted(1_000_001))))).isFalse();
  }

  private static SparkPlan planned(Dataset<Row> query) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution().sparkPlan();
  }

  /** Returns the plan of a query, with stages of adaptive execution, after it ran. */
  private static SparkPlan ran(Dataset<Row> query) {
    SparkPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution().executedPlan();
    query.collectAsList();
    SparkPlan ran = ((AdaptiveSparkPlanExec) plan).executedPlan();
    return ran instanceof ResultQueryStageExec result ? result.plan() : ran;
  }

  @Test
  void leavesWithoutStatisticsAreNotSmall(SparkSession spark) throws Exception {
    LogicalPlan none =
        spark.sessionState().sqlParser().parsePlan("select * from t").collectLeaves().apply(0);
    assertThatThrownBy(none::stats).isInstanceOf(RuntimeException.class);
    SparkPlan rows = plan(spark);
    rows.setLogicalLink(none);
    assertThat(rows.logicalLink().get()).isSameAs(none);
    assertThat(InputSize.isSmall(rows)).isFalse();
  }
}
