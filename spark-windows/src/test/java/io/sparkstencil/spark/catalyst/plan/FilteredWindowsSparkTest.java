/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.spark.Sessions;
import org.apache.spark.SparkThrowable;
import org.apache.spark.package$;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregates with a FILTER over windows, which Spark has from 4.2 on. */
final class FilteredWindowsSparkTest {
  private static final boolean ALLOWED = package$.MODULE$.SPARK_VERSION().compareTo("4.2") >= 0;

  /** Functions that skip nulls, and whose results do not depend on how rows tie. */
  private static final String SKIPPING =
      """
      count(*) F, count(d) F, count(d, i) F, sum(i) F, sum(quarter) F, avg(quarter) F, avg(i) F,
      sum(m) F, avg(m) F, sum(wide) F, avg(wide) F, min(d) F, max(day) F, max(name) F, count_if(d > 0) F,
      bool_and(i > 3) F, bit_or(i) F, max_by(name, t) F, try_sum(i) F, stddev(quarter) F
      """;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.local();
    Sessions.interpret(spark);
    spark
        .range(0, 600)
        .selectExpr(
            "id",
            "cast(pmod(id * 7919, 607) as int) as t",
            "id % 7 as g",
            "if(id % 11 = 0, null, sin(id)) as d",
            "cast(id as int) as i",
            "(id % 8) / 4D as quarter",
            "cast(id as decimal(9, 2)) as m",
            "cast(id as decimal(20, 2)) as wide",
            "concat('n', id) as name",
            "date_add(date'2020-01-01', cast(id div 2 as int)) as day",
            "if(id % 5 = 0, null, id % 3 = 0) as chosen")
        .repartition(3)
        .createOrReplaceTempView("cells");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static String windows(String functions, String filter, String window) {
    return "select id, %s from cells"
        .formatted(
            functions.replace(" F", " filter (where %s) over (%s)".formatted(filter, window)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order by t rows between 3 preceding and 2 following",
        "partition by g order by t rows between 3 preceding and 2 following",
        "order by t",
        "partition by g order by t",
        "partition by g order by t rows between unbounded preceding and current row",
        "partition by g",
        "order by t range between 20 preceding and 7 following",
        "partition by g order by t range between 20 preceding and current row",
        "order by t rows between -1 preceding and current row",
      })
  void functionsThatSkipNulls(String window) {
    assumeThat(ALLOWED).isTrue();
    for (String filter : new String[] {"chosen", "i % 4 <> 1 and d > -0.5", "i < 0", "1 = 1"}) {
      WindowPlans.sameWithoutSpark(spark, windows(SKIPPING, filter, window));
    }
  }

  @Test
  void stencilsAreThoseOfArgumentsWithNulls() {
    assumeThat(ALLOWED).isTrue();
    String window = "partition by g order by t rows between 3 preceding and 2 following";
    Dataset<Row> ours =
        WindowPlans.sameWithoutSpark(
            spark,
            windows("sum(i) F, avg(d) F, min(d) F, count(*) F, count(d) F", "chosen", window));
    assertThat(WindowPlans.stencils(ours)).hasSize(5);
  }

  /** Whether the first row counts does not show in its value, which may be null. */
  @Test
  void functionsThatTakeNullsStayWithSpark() {
    assumeThat(ALLOWED).isTrue();
    String window = "partition by g order by t, id rows 3 preceding";
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark, windows("first(d) F, last(d) F, count(i) F", "chosen", window));
    assertThat(WindowPlans.sparks(ours)).isEqualTo(2);
    Dataset<Row> ignoring =
        WindowPlans.sameWithoutSpark(
            spark, windows("first(d) F", "chosen", window).replace("first(d)", "first(d, true)"));
    assertThat(WindowPlans.series(ignoring)).hasSize(1);
  }

  /** What a filter leaves out is not computed, and does not overflow. */
  @Test
  void valuesThatAreLeftOutDoNotFail() {
    assumeThat(ALLOWED).isTrue();
    String window = "partition by g order by t rows 3 preceding";
    WindowPlans.sameWithoutSpark(
        spark, windows("sum(if(i = 300, 9223372036854775807, i)) F", "i <> 300 or chosen", window));
    String failing = windows("sum(if(i > 300, 9223372036854775807, i)) F", "i > 200", window);
    spark.conf().set("spark.stencil.sql.enabled", "true");
    assertThatThrownBy(() -> spark.sql(failing).collectAsList())
        .isInstanceOfSatisfying(
            SparkThrowable.class,
            thrown -> assertThat(thrown.getCondition()).startsWith("ARITHMETIC_OVERFLOW"));
  }

  @Test
  void linesWithoutSuchFiltersRefuseThem() {
    assumeThat(ALLOWED).isFalse();
    spark.conf().set("spark.stencil.sql.enabled", "true");
    assertThatThrownBy(() -> spark.sql(windows("sum(i) F", "chosen", "order by t")))
        .isInstanceOf(SparkThrowable.class);
  }
}
