/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.WithSpark;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs over the arrays of many rows at once: the bits and the order of one after the other. */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class ProgramBatchesSparkTest {
  private static final String BATCHED = "spark.stencil.sql.arrays.batched";
  private static final String HEAT = "'u + 0.2*(u[-1] - 2*u + u[1])', 3";

  /** Arrays of few lengths, empty ones, nulls, and arrays with nulls and with NaN. */
  private static final String ROWS =
      """
      SELECT id,
        IF(id %% 17 = 3, NULL, transform(sequence(0, 8 * (id %% 4)), i ->
          IF(id %% 5 = 0 AND i = 6, NULL, IF(id %% 11 = 0 AND i = 2, double('NaN'), sin(id + i))))) AS a,
        IF(id %% 13 = 1, slice(array(1F), 1, 0), transform(sequence(0, id %% 3), i -> float(cos(id * i)))) AS f,
        transform(sequence(0, 4 + id %% 2), y -> transform(sequence(0, 5), x -> sin(id + 10 * x + y))) AS image,
        array(array(array(double(id), 1D), array(2D, 3D)), array(array(4D, 5D), array(6D, 7D))) AS solid,
        array(id, NULL, -id) AS whole
      FROM range(%d)
      """;

  private static SparkSession session() {
    return ArraySession.get().newSession();
  }

  private static Dataset<Row> query(boolean batched, int rows, String columns) {
    SparkSession session = session();
    session.conf().set(BATCHED, batched);
    session.conf().set("spark.sql.adaptive.enabled", false); // its plans are final later
    session.sql(ROWS.formatted(rows)).repartition(3).createOrReplaceTempView("arrays_of_rows");
    return session.sql("SELECT %s FROM arrays_of_rows".formatted(columns));
  }

  private static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id, stencil_expr(a, " + HEAT + ") AS r",
        "stencil_expr(a, "
            + HEAT
            + ", 'wrap', 'fma') AS r, id, a, stencil_expr(a, 'u[2] - x') AS s",
        "stencil_expr(f, 'u[-1] + u/3', 2) AS r, concat(string(id), 'x') AS name",
        "id, stencil2d_gaussian(image, 1.5) AS g, stencil2d_sobel(image, 'mirror') AS s",
        "id, stencil_expr(solid, 'u[0,-1,1] + 2*u[1,0,0]', 2, 'wrap') AS r, solid",
        "id, stencil_expr(whole, 'u[-1]', 1, 'constant:0') AS r",
        "id, size(stencil_expr(a, 'u[1]')) AS n, stencil_expr(stencil_mean(a, 1), 'u*u') AS r",
        "id, stencil_mean(stencil_expr(a, 'u[1]'), 1) AS r, stencil_expr(a, 'u/2') AS s",
      })
  void haveTheBitsOfOneAfterTheOther(String columns) {
    Dataset<Row> batched = query(true, 500, columns);
    assertThat(plan(batched)).contains("ProgramProject");
    Dataset<Row> single = query(false, 500, columns);
    assertThat(plan(single)).doesNotContain("ProgramProject");

    assertThat(texts(batched)).hasSize(500).isEqualTo(texts(single));
  }

  private static List<String> texts(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void severalBatchesOfATaskComeInOrder() {
    String columns = "id, stencil_expr(sequence(id, id + 40000), 'u[-1] + u[1]')[1] AS r";
    for (Row row : query(true, 300, columns).collectAsList()) {
      assertThat(row.getDouble(1)).isEqualTo(2.0 * row.getLong(0) + 2);
    }
  }

  @Test
  void branchesOfConditionsStayWhereTheyAre() {
    Dataset<Row> query =
        query(true, 20, "IF(id < 5, stencil_expr(a, 'u[1]'), a) AS r, rand(1) AS random");
    assertThat(plan(query)).doesNotContain("ProgramProject");
    assertThat(query.collectAsList()).hasSize(20);
  }

  @Test
  void nothingComesOfNothing() {
    assertThat(query(true, 0, "stencil_expr(a, 'u[1]') AS r").collectAsList()).isEmpty();
  }

  @Test
  void rowsOfDifferentLengthsAreRefused() {
    String ragged = "stencil_expr(array(array(1D), array(1D, double(id))), 'u[0,1]') AS r";
    assertThatThrownBy(() -> query(true, 10, ragged).collectAsList())
        .hasMessageContaining("a row of an array has 2 elements, but the first has 1");
    String hole = "stencil_expr(array(array(1D), IF(id > 3, NULL, array(2D))), 'u[0,1]') AS r";
    assertThatThrownBy(() -> query(true, 10, hole).collectAsList())
        .hasMessageContaining("row 1 of an array is null");
  }

  @Test
  void thePlanSaysWhichEngineIsExpected() {
    SparkSession session = session();
    session.sql(ROWS.formatted(1)).createOrReplaceTempView("arrays_of_rows");
    String sql = "SELECT id, stencil_expr(a, 'u[1]') AS r FROM arrays_of_rows";
    assertThat(formatted(session, sql)).containsPattern("Engine of r: auto: (a GPU|the CPU), ");
    session.conf().set("spark.stencil.engine", "cpu");
    assertThat(formatted(session, sql)).contains("Engine of r: cpu, as requested");
  }

  private static String formatted(SparkSession session, String sql) {
    return session.sql("EXPLAIN FORMATTED " + sql).first().getString(0);
  }
}
