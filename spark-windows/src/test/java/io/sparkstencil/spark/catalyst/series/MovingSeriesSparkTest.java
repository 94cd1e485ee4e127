/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that move over series given by keys and are no stencils have Spark's bits. */
@WithSpark
final class MovingSeriesSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";
  private static final String LEGACY = "spark.sql.legacy.statisticalAggregate";

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.shuffle.partitions", "4");
    spark
        .conf()
        .set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer than running
    Sessions.compile(spark); // expressions alone, of which there are forty for each row
    spark
        .sql(
            """
            select id as t, pmod(id * 7919, 3001) as mixed, cast(id % 7 as int) as k,
              if(id % 9 = 0, null, cast(xxhash64(id, 1) % 1000000000 / 100bd as decimal(9, 2))) as d9,
              if(id % 5 = 0, null, cast(xxhash64(id, 2) % 1000000000000000 / 100bd as decimal(15, 2))) as d15,
              if(pmod(id, 300) < 40, null, if(id % 3 = 0, 1, -1) * 999999999999999999bd) as d18,
              cast(xxhash64(id, 3) % 1000 as decimal(18, 15)) / 7 as fine,
              cast(if(id % 4 = 0, '9e37', '1') as decimal(38, 0)) as d38,
              if(id % 2000 > 1980, 9223372036854775807, id) as l,
              if(id % 6 = 0, null, 'text ' || id % 300) as text,
              if(id % 8 = 0, null, id % 2 = 0) as even, cast('x' || id % 50 as binary) as bytes,
              if(id % 7 = 0, -0.0D, if(id % 7 = 1, 0.0D, sin(id))) as d,
              case when id % 11 = 0 then null when id % 500 = 9 then double('inf')
                when id % 500 = 200 then double('nan') else 1e9 + sin(id) end as x
            from range(0, 2503, 1, 3)
            """)
        .createOrReplaceTempView("moving");
  }

  private static final String WINDOWS =
      """
      select t, k, sum(d9) W, avg(d9) W, sum(d15) W, avg(d15) W, sum(d18) W, avg(d18) W, min(d18) W,
        max(d18) W, try_sum(d18) W, try_avg(d15) W, avg(fine) W, sum(fine) W, min(fine) W,
        max(d38) W, count(d18) W, first(text) W, first(text) ignore nulls W, last(text) W,
        last(d18) ignore nulls W, min(text) W, max(text) W, min(bytes) W, max(even) W, first(d) W,
        last(d) W, min(d) W, stddev(d) W, stddev(x) W, stddev_pop(x) W, var_samp(x) W,
        var_pop(x) W, var_pop(t) W, sum(d15) W + lag(d15) over (partition by k order by O),
        avg(d15) over (partition by k order by O), avg(d18) over (partition by k)
      from moving
      """;

  @ParameterizedTest
  @CsvSource({
    "t, rows between 8 preceding and 8 following, true, true",
    "mixed, rows between 8 preceding and 8 following, false, false",
    "'mixed desc', rows between 3 following and 5 following, true, false",
    "t, rows between 5 preceding and 3 preceding, false, true",
    "t, rows between 300 preceding and 300 following, true, false",
    "mixed, rows between current row and 1 following, true, false",
    "mixed, rows between unbounded preceding and 2 following, true, true",
    "mixed, rows between current row and unbounded following, true, false",
    "mixed, range between 20 preceding and 9 following, true, true",
  })
  void framesHaveSparksBits(String order, String frame, boolean adaptive, boolean ansi) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    String sql =
        WINDOWS
            .replace("W", "over (partition by k order by " + order + " " + frame + ")")
            .replace("order by O", "order by " + order);
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(WindowPlans.series(ours)).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theVarianceOfOneRowIsSparks(boolean legacy) {
    spark.conf().set(LEGACY, legacy);
    String sql =
        """
        select t, stddev(x) W, var_samp(x) W, stddev_pop(x) W, var_pop(x) W from moving
        """
            .replace(
                "W", "over (partition by k order by t rows between 1 following and 1 following)");
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(ours.where("t = 1").first().get(1)).isEqualTo(legacy ? Double.NaN : null);
  }

  @Test
  void sumsOfLargeDecimalsOverflowToNull() {
    spark.conf().set("spark.sql.ansi.enabled", false);
    String sql =
        """
        select t, sum(d38) over (partition by k order by t rows between 8 preceding and 1 following)
        from moving
        """;
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(ours.collectAsList()).anyMatch(row -> row.isNullAt(1));
  }

  @ParameterizedTest
  @CsvSource({"d38, 8 preceding, 1 following", "l, 300 preceding, 300 following"})
  void sumsThatOverflowFailAsSparksDo(String value, String from, String to) {
    spark.conf().set("spark.sql.ansi.enabled", true);
    String sql =
        """
        select t, first(text) W, sum(%s) W from moving
        """
            .formatted(value)
            .replace(
                "W", "over (partition by k order by t rows between %s and %s)".formatted(from, to));
    String condition = condition(sql, true);
    assertThat(condition).isEqualTo(condition(sql, false)).isNotNull();
  }

  private static String condition(String sql, boolean enabled) {
    spark.conf().set(ENABLED, enabled);
    Throwable[] thrown = new Throwable[1];
    assertThatThrownBy(() -> spark.sql(sql).collectAsList()).satisfies(error -> thrown[0] = error);
    Throwable cause = thrown[0];
    while (!(cause instanceof SparkThrowable) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return ((SparkThrowable) cause).getCondition();
  }
}
