/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the batched operator runs, where it does not, and that the answers are the same. */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class ArrayPlanSparkTest {
  private static final String TABLE =
      """
      (SELECT id, IF(id %% 7 = 3, NULL, transform(sequence(0, int(id)), x -> float(x * id %% 11)))
       AS a FROM range(0, 40, 1, 4))
      """
          .replace("%%", "%");

  @BeforeEach
  void noFoldingOfTheTable() {
    ArraySession.get().range(1).count();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | SELECT stencil_mean(a, 2) FROM TABLE
          1 | SELECT id, a, stencil_mean(a, 2), id + 1 AS j, stencil_max(a, 1, 'wrap') FROM TABLE
          1 | SELECT stencil_mean(a, 2), stencil_mean(a, 2) AS again FROM TABLE
          1 | SELECT size(stencil_mean(a, 2)) + 1, stencil_sum(a, 1)[0] FROM TABLE WHERE id > 20
          2 | SELECT stencil_mean(stencil_max(a, 1), 2) FROM TABLE
          1 | SELECT stencil_mean(transform(a, x -> x * 2), 2) FROM TABLE
          1 | SELECT id, stencil_iterate(a, array(1, 1, 1), 3, 'mirror') m FROM TABLE ORDER BY id DESC
          1 | SELECT stencil_mean(array(a, NULL, array(1F)), 1, 'shrink') FROM TABLE
          1 | SELECT a, stencil_mean(a, 1) FROM (SELECT a FROM TABLE LIMIT 5)
          0 | SELECT id FROM TABLE WHERE size(stencil_mean(a, 2)) > 3
          0 | SELECT max(size(stencil_mean(a, 2))) FROM TABLE
          0 | SELECT id % 3, sum(get(stencil_sum(a, 1), 0)) FROM TABLE GROUP BY id % 3
          0 | SELECT transform(array(a, a), y -> stencil_max(y, 1)) FROM TABLE
          0 | SELECT CASE WHEN id > 5 THEN stencil_mean(a, 2) ELSE a END FROM TABLE
          """)
  void theOperatorRunsWhereEveryRowNeedsIt(int operators, String query) {
    String sql = query.replace("TABLE", TABLE);
    for (boolean adaptive : new boolean[] {true, false}) {
      ArraySession.get().conf().set("spark.sql.adaptive.enabled", adaptive);
      Dataset<Row> dataset = ArraySession.get().sql(sql);
      assertThat(ArraySession.operators(dataset)).as(sql).hasSize(operators);
      List<Row> rows = dataset.collectAsList();
      assertThat(rows).isNotEmpty();
      assertThat(sorted(ArraySession.collect(ArraySession.Mode.GENERATED, sql)))
          .isEqualTo(sorted(rows));
      assertThat(sorted(ArraySession.collect(ArraySession.Mode.INTERPRETED, sql)))
          .isEqualTo(sorted(rows));
    }
  }

  private static List<String> sorted(List<Row> rows) {
    return rows.stream().map(Row::toString).sorted().toList();
  }

  @Test
  void thePlanNamesFunctionsAndCounts() {
    Dataset<Row> dataset =
        ArraySession.get().sql("SELECT stencil_mean(a, 2, 'shrink') AS m FROM " + TABLE);
    ArrayProjectExec operator = ArraySession.operators(dataset).get(0);
    assertThat(operator.toString())
        .contains("ArrayProject [stencil_mean(")
        .contains(", 2, shrink) AS m#");
    assertThat(operator.metrics().apply("numOutputRows").value()).isEqualTo(40);
    assertThat(operator.metrics().apply("cells").value()).isGreaterThan(500);
  }

  @Test
  void thePlanSaysWhichEngineEachFunctionIsExpectedToHave() {
    String calls =
        "stencil_mean(a, 2, 'shrink') AS narrow, stencil_gaussian(a, 30D, 'reflect') AS wide,"
            + " stencil_expr(a, 'u[1]') AS next";
    String query = "EXPLAIN FORMATTED SELECT id, %s FROM %s".formatted(calls, TABLE);
    assertThat(ArraySession.get().sql(query).first().getString(0))
        .contains("Engine of narrow: auto: a GPU, where the executor has one, for 5 taps in F32, ")
        .contains("Engine of wide: auto: a GPU, where the executor has one, for 241 taps in F32, ")
        .contains("Engine of next: auto: ");
    ArraySession.get().conf().set("spark.stencil.engine", "cpu");
    assertThat(ArraySession.get().sql(query).first().getString(0))
        .contains("Engine of narrow: cpu, as requested")
        .contains("Engine of wide: cpu, as requested");
  }

  @Test
  void cachedAndColumnarSourcesGiveTheSame(
      @org.junit.jupiter.api.io.TempDir java.nio.file.Path folder) {
    Dataset<Row> made = ArraySession.get().sql("SELECT * FROM " + TABLE);
    String file = folder.resolve("t").toString();
    made.write().parquet(file);
    String call = "stencil_gaussian(a, 1D, 'reflect') AS g";
    List<String> expected = sorted(made.selectExpr("id", call).collectAsList());
    Dataset<Row> parquet = ArraySession.get().read().parquet(file).selectExpr("id", call);
    assertThat(ArraySession.operators(parquet)).hasSize(1);
    assertThat(sorted(parquet.collectAsList())).isEqualTo(expected);
    ArraySession.get().conf().set("spark.sql.columnVector.offheap.enabled", true);
    try {
      assertThat(
              sorted(
                  ArraySession.get().read().parquet(file).selectExpr("id", call).collectAsList()))
          .isEqualTo(expected);
    } finally {
      ArraySession.get().conf().unset("spark.sql.columnVector.offheap.enabled");
    }
    Dataset<Row> cached = made.cache();
    assertThat(sorted(cached.selectExpr("id", call).collectAsList())).isEqualTo(expected);
    cached.unpersist();
  }
}
