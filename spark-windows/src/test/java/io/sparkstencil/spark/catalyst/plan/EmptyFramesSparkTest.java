/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.Sessions;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames whose bounds cross by their values, {@code ROWS BETWEEN -1 PRECEDING AND CURRENT ROW}: SQL
 * allows them, and they have no rows, but for keys that an addition does not move.
 */
final class EmptyFramesSparkTest {
  /** Functions whose results do not depend on how rows that tie are ordered. */
  private static final String FUNCTIONS =
      """
      count(*) over (W), count(d) over (W), sum(i) over (W), sum(quarter) over (W),
      avg(quarter) over (W), sum(m) over (W), avg(m) over (W), min(d) over (W), max(day) over (W),
      max(name) over (W), bool_and(i > 3) over (W), bit_or(i) over (W),
      sort_array(collect_list(i) over (W)), percentile(d, 0.5) over (W)
      """;

  private static final String ORDERED =
      """
      , sum(d) over (W), first(d) over (W), last(i) ignore nulls over (W), nth_value(d, 2) over (W),
      stddev(d) over (W), corr(d, i) over (W), max_by(name, d) over (W)
      """;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.local();
    Sessions.interpret(spark);
    spark
        .range(0, 300)
        .selectExpr(
            "id",
            "cast(pmod(id * 7919, 311) as int) as t",
            "id % 7 as g",
            "if(id % 11 = 0, null, sin(id)) as d",
            "cast(id as int) as i",
            "(id % 8) / 4D as quarter",
            "cast(id as decimal(9, 2)) as m",
            "concat('n', id) as name",
            "if(id % 13 = 0, null, date_add(date'2020-01-01', cast(id div 2 as int))) as day",
            "if(id % 17 = 0, null, cast(id div 3 as int)) as holes",
            "case id % 9 when 0 then double('NaN') when 1 then double('-Infinity') when 2 then 1e300"
                + " when 3 then null else id end as wild",
            "if(id % 19 = 0, null, cast(id div 2 as decimal(7, 1))) as price",
            "timestamp'2024-03-30 20:00:00' + make_dt_interval(0, cast(id div 4 as int)) as at")
        .repartition(3)
        .createOrReplaceTempView("rows");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void same(String functions, String window) {
    WindowPlans.sameWithoutSpark(
        spark, "select id, %s from rows".formatted(functions.replace("W", window)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rows between -1 preceding and current row",
        "rows between -500 preceding and current row",
        "rows between 5 following and current row",
        "rows between current row and -2 following",
        "rows between current row and 3 preceding"
      })
  void framesOfRows(String frame) {
    same(FUNCTIONS + ORDERED, "order by t, id " + frame);
    same(FUNCTIONS + ORDERED, "partition by g order by t, id " + frame);
  }

  /** A null, a NaN or an infinity plus anything is itself, so that their rows have frames. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "holes | -1 preceding and current row",
        "holes desc | current row and 2 preceding",
        "wild | 3 following and current row",
        "wild desc nulls first | -1 preceding and current row",
        "price | current row and -1.5 following",
        "day | -2 preceding and current row",
        "day desc | interval 1 month following and current row",
        "at | interval 1 day following and current row",
        "at desc | current row and interval 90 minutes preceding"
      })
  void framesOfKeys(String key, String frame) {
    same(FUNCTIONS, "order by %s range between %s".formatted(key, frame));
    same(FUNCTIONS, "partition by g order by %s range between %s".formatted(key, frame));
  }
}
