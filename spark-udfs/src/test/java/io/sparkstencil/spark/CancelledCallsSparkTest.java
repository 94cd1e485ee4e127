/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of very many steps end with their jobs, also where their arguments are constants. */
@WithSpark
final class CancelledCallsSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) throws InterruptedException {
    spark = session;
    CancelledQuery.warmUp(spark);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT stencil_expr(array(1D, 2D, 3D), 'u + u[1]', 2147483647)",
        "SELECT stencil_expr(array(1, NULL, 3), 'u + u[1]', 2147483647)",
        "SELECT stencil_expr(array(array(1D, 2D), array(3D, 4D)), 'u + u[1,0]', 2147483647)",
        "SELECT stencil_expr(named_struct('u', array(1D, 2D), 'c', array(3D, 4D)), \"u' = u[1] + c\","
            + " 2147483647)",
        "SELECT stencil_iterate(array(1D, 2D, 3D), array(0.25, 0.5, 0.25), 700000000)",
        "SELECT stencil_iterate(sequence(1, 100000), array(0.25, 0.5, 0.25), 700000000)",
        "SELECT stencil_expr(a, 'u + u[1]', 2147483647) FROM VALUES (array(1D, 2D)) AS t (a)",
        "SELECT count(*) FROM VALUES (array(1D, 2D)) AS t (a)"
            + " WHERE stencil_expr(a, 'u + u[1]', 2147483647)[0] > 0",
        "SELECT stencil_expr(array(id, 1D, 2D), 'u + u[1]', 2147483647) FROM range(4)",
        "SELECT sum(stencil_expr(array(id, 1D, 2D), 'u + u[1]', 2147483647)[0]) FROM range(4)",
        "SELECT stencil_iterate(array(id, 1D, 2D), array(0.25, 0.5, 0.25), 700000000) FROM range(4)",
        "SELECT if(id > 0, stencil_expr(array(id, 1D), 'u + u[1]', 2147483647), null) FROM range(4)",
      })
  void endsWithItsJob(String query) throws InterruptedException {
    CancelledQuery.requireEndsSoon(spark, () -> spark.sql(query).collectAsList(), 400, false);
    assertThat(spark.sql("SELECT stencil_mean(array(1D, 2D, 6D), 1)[0]").first().getDouble(0))
        .isEqualTo(1.5);
  }

  @ParameterizedTest
  @CsvSource({"cpu", "reference"})
  void endsOnEveryEngineOfTheHostIfItsThreadIsInterrupted(String engine)
      throws InterruptedException {
    spark.conf().set("spark.stencil.engine", engine);
    try {
      CancelledQuery.requireEndsSoon(
          spark,
          () ->
              spark
                  .sql("SELECT stencil_expr(array(id, 1D), 'u + u[1]', 2147483647) FROM range(4)")
                  .collectAsList(),
          400,
          true);
    } finally {
      spark.conf().unset("spark.stencil.engine");
    }
  }

  @Test
  void whatIsSoonDoneIsStillFolded() {
    String plan =
        spark
            .sql("SELECT stencil_expr(array(1D, 2D, 3D), 'u + u[1]', 2) AS u FROM range(3)")
            .queryExecution()
            .optimizedPlan()
            .toString();

    assertThat(plan).contains("AS u").doesNotContain("stencil_expr");
  }

  @Test
  void whatTakesLongIsNotFoldedAndHasTheSameResults() {
    String call = "stencil_expr(array(1D, 2D, 3D), '0.5*u + 0.5*u[1]', 300000)";
    List<Row> constants = spark.sql("SELECT " + call).collectAsList();

    assertThat(
            spark.sql("SELECT %s FROM range(1)".formatted(call)).queryExecution().optimizedPlan())
        .asString()
        .contains("stencil_expr");
    assertThat(constants)
        .isEqualTo(spark.sql("SELECT %s FROM range(1)".formatted(call)).collectAsList())
        .isEqualTo(
            spark
                .sql(
                    "SELECT %s FROM VALUES (array(1D, 2D, 3D)) AS t (a)"
                        .formatted(call.replace("array(1D, 2D, 3D)", "a")))
                .collectAsList());
  }
}
