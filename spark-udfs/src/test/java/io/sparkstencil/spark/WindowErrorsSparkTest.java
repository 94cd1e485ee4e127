/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries that fail with Spark fail in the same way with our operators. */
@WithSpark
final class WindowErrorsSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .udf()
        .register(
            "checked",
            (UDF1<Long, Long>)
                value -> {
                  if (value == 3) {
                    throw new IllegalArgumentException("no three");
                  }
                  return value;
                },
            DataTypes.LongType);
  }

  /** Each failing input below each operator: keyed and not, stencils, running, bounded, ranks. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CAST_INVALID_INPUT | cast(if(id = 3, 'x', '1') as int)",
        "DIVIDE_BY_ZERO | 7 div (id - 3)",
        "USER_RAISED_EXCEPTION | if(id = 3, cast(raise_error('three') as bigint), id)",
        "USER_RAISED_EXCEPTION | coalesce(assert_true(id < 3, 'many'), id)",
        "FAILED_EXECUTE_UDF | checked(id)",
        "ARITHMETIC_OVERFLOW | id + 9223372036854775803",
        "INVALID_ARRAY_INDEX | array(1L, 2L, 3L)[if(id = 3, 3, 1)]"
      })
  void inputThatFails(String condition, String value) {
    for (String window :
        List.of(
            "avg(v) over (partition by k order by id rows 1 preceding)",
            "avg(v) over (order by id rows 1 preceding)",
            "avg(v) over (order by v rows 1 preceding)",
            "avg(id) over (partition by v order by id rows 1 preceding)",
            "sum(v) over (partition by k order by id)",
            "sum(v) over (order by id)",
            "rank() over (partition by k order by v)",
            "dense_rank() over (order by v desc)",
            "stddev(v) over (order by id range 2 preceding)",
            "max(v) over (partition by k order by id range 2 preceding)",
            "max(v) over (partition by 1 order by id rows 2 preceding)")) {
      fails(
          condition,
          "select id, %s from (select id, id %% 2 as k, %s as v from range(0, 7, 1, 3))"
              .formatted(window, value),
          ErrorWords::of);
    }
  }

  /** One operator of ours reads what another cannot give, and says more of it than Spark. */
  @Test
  void operatorsBelowOthers() {
    String below =
        "select id, id % 2 as k, sum(if(id > 3, 9223372036854775807, id)) over (BY order by id ROWS)"
            + " as v from range(0, 7, 1, 3)";
    for (String by : List.of("", "partition by id % 2")) {
      for (String rows : List.of("rows 1 preceding", "")) {
        String inner = below.replace("BY", by).replace("ROWS", rows);
        for (String over :
            List.of("order by id rows 1 preceding", "partition by k order by id", "order by v")) {
          fails(
              "ARITHMETIC_OVERFLOW",
              "select id, sum(v) over (%s) as s from (%s)".formatted(over, inner),
              ErrorWords::kind);
        }
      }
    }
  }

  private static void fails(String condition, String sql, Function<Throwable, String> words) {
    for (boolean adaptive : new boolean[] {true, false}) {
      spark.conf().set("spark.sql.adaptive.enabled", String.valueOf(adaptive));
      spark.conf().set("spark.stencil.sql.enabled", "true");
      Dataset<Row> query = spark.sql(sql);
      Throwable ours = ErrorWords.thrown(query::collectAsList);
      WindowPlans.areSparks(
          spark,
          "the error, adaptive: %s, of %s".formatted(adaptive, sql),
          List.of(words.apply(ours)),
          () -> {
            spark.conf().set("spark.stencil.sql.enabled", "false");
            return List.of(words.apply(ErrorWords.thrown(spark.sql(sql)::collectAsList)));
          });
      assertThat(((SparkThrowable) ours).getCondition()).startsWith(condition);
      assertThat(WindowPlans.sparks(query)).as(sql).isZero();
    }
  }
}
