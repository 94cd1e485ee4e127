/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.grid.CellFunction;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A function of a user's that leaves the thread of its task interrupted ends nothing: Spark decides
 * which tasks are wanted. Those that come after it find the thread as it has left it.
 */
final class LeftInterruptSparkTest {
  private static final String ROWS =
      "(SELECT id AS t, %s AS v, array(%s, 2D, 5D) AS a FROM range(0, 5000, 1, 1))";

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Sessions.stopOpen();
    spark = Sessions.builder("local[2]").config("spark.stencil.sql.enabled", "true").getOrCreate();
    spark
        .udf()
        .register(
            "interrupting",
            (UDF1<Double, Double>)
                value -> {
                  Thread.currentThread().interrupt();
                  return value;
                },
            DataTypes.DoubleType);
    spark
        .udf()
        .register(
            "interrupted",
            (UDF1<Double, Boolean>) value -> Thread.currentThread().isInterrupted(),
            DataTypes.BooleanType);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<Row> rows(String column, String value) {
    return spark
        .sql(
            "SELECT t, interrupted(c), c FROM (SELECT t, %s AS c FROM %s)"
                .formatted(column, ROWS.formatted(value, value)))
        .selectExpr("t", "c")
        .collectAsList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "reference"})
  void endsNoQuery(String engine) {
    spark.conf().set("spark.stencil.engine", engine);
    for (String column :
        List.of(
            "avg(v) OVER (ORDER BY t ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING)",
            "sum(v) OVER (ORDER BY t RANGE BETWEEN 30 PRECEDING AND 3 FOLLOWING)",
            "sum(v) OVER (ORDER BY t)",
            "rank() OVER (ORDER BY v)",
            "stencil_expr(a, 'u + 0.5*u[1]', 3)[0]",
            "stencil_mean(a, 2)[0]")) {
      assertThat(rows(column, "interrupting(sin(id))"))
          .as(column)
          .isEqualTo(rows(column, "sin(id)"));
    }
    spark.conf().unset("spark.stencil.engine");
  }

  /** Of windows that are spread over tasks, more is read after the function was called first. */
  @Test
  void endsNoWindowWhoseRowsItGets() {
    for (String column : List.of("sum(v) OVER (ORDER BY t)", "rank() OVER (ORDER BY v)")) {
      String rows =
          "SELECT t, %s AS c FROM (SELECT t, CAST(%s AS double) AS c FROM (SELECT id AS t, sin(id) AS v FROM range(0, 60000, 1, 6)))";

      assertThat(spark.sql(rows.formatted("interrupting(c)", column)).collectAsList())
          .as(column)
          .isEqualTo(spark.sql(rows.formatted("c", column)).collectAsList());
    }
  }

  @Test
  void staysWithTheThread() {
    String window =
        "SELECT interrupted(c) FROM (SELECT avg(v) OVER (ORDER BY t ROWS BETWEEN 3 PRECEDING AND 3"
            + " FOLLOWING) AS c FROM %s)";

    assertThat(
            spark
                .sql(window.formatted(ROWS.formatted("interrupting(sin(id))", "2D")))
                .distinct()
                .collectAsList())
        .hasSize(1)
        .allMatch(row -> row.getBoolean(0));
  }

  private static Object grid(CellFunction cells, Path checkpoints) {
    try (StencilGrid grid =
            StencilGrids.builder(spark, ProgramText.parse("u' = u + 0.1*(u[-1,0] + u[1,0] - 2*u)"))
                .extent(60, 40)
                .field("u", cells)
                .blocks(4)
                .checkpoints(checkpoints.toString(), 1)
                .stepsPerExchange(2)
                .create();
        StencilGrid stepped = grid.step(8)) {
      return stepped.read("u");
    }
  }

  @Test
  void endsNoGrid(@TempDir Path folder) {
    CellFunction cells = cell -> cell[0] % 7 + cell[1];

    assertThat(
            grid(
                cell -> {
                  Thread.currentThread().interrupt();
                  return cells.value(cell);
                },
                folder.resolve("interrupted")))
        .isEqualTo(grid(cells, folder.resolve("plain")));
  }
}
