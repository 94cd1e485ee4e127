/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.WithSpark;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
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
