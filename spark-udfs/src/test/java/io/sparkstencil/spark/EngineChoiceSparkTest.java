/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.FaultPlan;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans and reports say which engine, and why. */
class EngineChoiceSparkTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();

  @AfterEach
  void withoutDevice() {
    PLAN.reset();
  }

  private static Dataset<Row> query(SparkSession spark, long rows, String engine) {
    return Stencils.over(spark.range(0, rows, 1, 1).selectExpr("id as t", "id * 0.5D as v"))
        .orderBy("t")
        .engine(engine)
        .mean("v", 8, "m")
        .toDataset();
  }

  private static Map<String, Long> choices(SparkSession spark, long rows, String engine)
      throws Exception {
    StencilReport report = StencilReport.listen(spark);
    query(spark, rows, engine).write().format("noop").mode("overwrite").save();
    report.close();
    return report.engineChoices();
  }

  @Test
  void reportsSayWhyAnEngineWasTriedFirst() throws Exception {
    try (SparkSession spark = Sessions.local()) {
      assertThat(choices(spark, 1000, "cpu")).containsOnlyKeys("requested");
      assertThat(choices(spark, 1000, "auto")).containsOnlyKeys("no other engine here");
    }
    PLAN.enable();
    try (SparkSession spark = Sessions.local()) {
      assertThat(choices(spark, 1000, "auto")).containsOnlyKeys("host estimated faster");
      assertThat(choices(spark, 200_000, "auto")).containsKey("device estimated faster");
    }
  }

  @Test
  void plansSayFromHowManyRowsOnAGpuIsFaster() throws Exception {
    try (SparkSession spark = Sessions.local()) {
      assertThat(query(spark, 10, "auto").queryExecution().explainString(mode("formatted")))
          .containsPattern(
              "Engine: auto: a GPU, where the executor has one, for 17 taps in F64 from [\\d,]+ rows");
      assertThat(query(spark, 10, "cpu").queryExecution().explainString(mode("formatted")))
          .contains("Engine: cpu, as requested");
    }
  }

  private static org.apache.spark.sql.execution.ExplainMode mode(String name) {
    return org.apache.spark.sql.execution.ExplainMode$.MODULE$.fromString(name);
  }
}
