/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that tie in the order come by their values, in Spark's order, for every operation alike. */
@WithSpark
final class TieOrderSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static Dataset<Row> input(String key, String value, boolean known) {
    Dataset<Row> rows =
        spark
            .range(0, 60, 1, 3)
            .selectExpr(key + " as t", value + " as v", "cast(id % 4 as int) as w");
    return known ? rows.orderBy("t").cache() : rows;
  }

  /** Returns the values of a column in the order of the rows, as Spark sorts them. */
  private static List<Double> column(Dataset<Row> rows, String name) {
    List<Double> values = new ArrayList<>();
    for (Row row : rows.selectExpr("cast(" + name + " as double)").collectAsList()) {
      values.add(row.isNullAt(0) ? null : row.getDouble(0));
    }
    return values;
  }

  private static List<Double> sums(List<Double> values, int radius, boolean mean) {
    List<Double> results = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      double sum = 0;
      int count = 0;
      int until = Math.min(values.size(), i + radius + 1);
      for (Double value : values.subList(Math.max(0, i - radius), until)) {
        if (value != null) {
          sum += value;
          count++;
        }
      }
      results.add(count == 0 ? null : Double.valueOf(mean ? sum / count : sum));
    }
    return results;
  }

  @Test
  void meanAndSumOfOneColumnSeeOneOrder() {
    Dataset<Row> rows =
        spark.sql("select 0L as t, v from values (2L), (-5L), (1L), (-3L), (7L) as x(v)");
    for (Dataset<Row> query :
        List.of(
            Stencils.over(rows).orderBy("t").mean("v", 1, "m").toDataset(),
            Stencils.over(rows).orderBy("t").mean("v", 1, "m").sum("v", 1, "s").toDataset())) {
      assertThat(column(query, "v")).containsExactly(-5.0, -3.0, 1.0, 2.0, 7.0);
      assertThat(column(query, "m")).containsExactly(-4.0, -7 / 3.0, 0.0, 10 / 3.0, 4.5);
    }
    Dataset<Row> sums = Stencils.over(rows).orderBy("t").sum("v", 1, "s").toDataset();
    assertThat(column(sums, "s")).containsExactly(-8.0, -7.0, 0.0, 10.0, 9.0);
  }

  @ParameterizedTest
  @CsvSource({
    "id % 3, 'pmod(id * 7919, 101) - 50', false",
    "id % 3, 'pmod(id * 7919, 101) - 50', true",
    "id % 3, 'cast(pmod(id * 7919, 101) - 50 as int)', false",
    "cast(id % 3 as string), 'cast(pmod(id * 7919, 101) - 50 as smallint)', false",
    "cast(id % 3 as string), 'cast(pmod(id * 7919, 101) - 50 as smallint)', true",
    "id % 3, 'if(id % 7 = 0, null, cast(pmod(id * 7919, 101) - 50 as float) / 4)', false",
    "id % 3, 'if(id % 7 = 0, null, cast(pmod(id * 7919, 101) - 50 as double) / 4)', true",
    "cast(id % 3 as double), 'cast(pmod(id * 7919, 101) - 50 as double)', false"
  })
  void valuesDecideWhereKeysAreEqual(String key, String value, boolean known) {
    Dataset<Row> rows = input(key, value, known);
    List<Double> values = column(rows.orderBy("t", "v"), "v");

    Dataset<Row> mean = Stencils.over(rows).orderBy("t").mean("v", 2, "m").toDataset();
    assertThat(column(mean, "v")).isEqualTo(values);
    assertThat(column(mean, "m")).isEqualTo(sums(values, 2, true));

    Dataset<Row> sum = Stencils.over(rows).orderBy("t").sum("v", 2, "s").toDataset();
    assertThat(column(sum, "v")).isEqualTo(values);
    assertThat(column(sum, "s")).isEqualTo(sums(values, 2, false));

    Dataset<Row> all =
        Stencils.over(rows)
            .orderBy("t")
            .max("v", 1, "x")
            .mean("v", 2, "m")
            .sum("v", 2, "s")
            .count("v", 30, "n")
            .toDataset();
    assertThat(column(all, "v")).isEqualTo(values);
    assertThat(column(all, "m")).isEqualTo(sums(values, 2, true));
    assertThat(column(all, "s")).isEqualTo(sums(values, 2, false));
  }

  @Test
  void valuesDecideInOnePartitionThatIsInOrder() {
    Dataset<Row> rows =
        input("id % 3", "pmod(id * 7919, 101) - 50", false)
            .coalesce(1)
            .sortWithinPartitions(functions.col("t"), functions.col("w"));
    List<Double> values = column(rows.orderBy("t", "v"), "v");

    Dataset<Row> query = Stencils.over(rows).orderBy("t").sum("v", 2, "s").toDataset();
    assertThat(column(query, "v")).isEqualTo(values);
    assertThat(column(query, "s")).isEqualTo(sums(values, 2, false));
  }

  @Test
  void theColumnThatIsNamedFirstDecidesFirst() {
    Dataset<Row> rows = input("id % 3", "pmod(id * 7919, 11) - 5", false);
    Dataset<Row> query =
        Stencils.over(rows).orderBy("t").mean("w", 1, "m").sum("v", 1, "s").toDataset();

    assertThat(column(query, "w")).isEqualTo(column(rows.orderBy("t", "w", "v"), "w"));
    assertThat(column(query, "v")).isEqualTo(column(rows.orderBy("t", "w", "v"), "v"));
    assertThat(column(query, "m"))
        .isEqualTo(sums(column(rows.orderBy("t", "w", "v"), "w"), 1, true));
  }

  @Test
  void nanIsTheGreatestAndZerosAreEqual() {
    Dataset<Row> rows =
        spark.sql(
            "select 0 as t, v, w from values (double('nan'), 1), (-1D, 2), (0D, 3), (-0D, 3),"
                + " (0D, 1), (null, 5), (double('inf'), 6), (double('-inf'), 7) as x(v, w)");
    Dataset<Row> query =
        Stencils.over(rows).orderBy("t").mean("v", 1, "m").sum("w", 1, "s").toDataset();

    assertThat(column(query, "w")).containsExactly(5.0, 7.0, 2.0, 1.0, 3.0, 3.0, 6.0, 1.0);
    assertThat(column(query, "v").subList(2, 6)).containsExactly(-1.0, 0.0, -0.0, 0.0);
  }
}
