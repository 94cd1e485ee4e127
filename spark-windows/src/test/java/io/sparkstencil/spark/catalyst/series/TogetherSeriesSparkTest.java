/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What wants rows with equal keys together takes the series of an operator below as they are: the
 * operator shuffles columns by itself, and cuts no series, however skewed.
 */
@WithSpark(master = "local[4]", options = "spark.stencil.sql.skewedBytes=1")
final class TogetherSeriesSparkTest {
  private static final int ROWS = 3000;
  private static final String WINDOW =
      "(select *, avg(d) over (partition by k order by t rows 5 preceding) as m, lag(d) over"
          + " (partition by k order by t) as p from cells)";

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .sql(
            "select if(id % 9 < 6, 7, if(id % 9 = 6, null, cast(id % 40 as int))) as k, id as t,"
                + " sin(id) as d, cast(id % 3 as int) as b from range(0, ROWS, 1, 6)"
                    .replace("ROWS", "" + ROWS))
        .write()
        .parquet(folder.resolve("cells").toString());
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
  }

  private static Dataset<Row> same(String sql, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql.replace("WINDOW", WINDOW));
    assertThat(WindowPlans.stencils(ours)).isNotEmpty();
    return ours;
  }

  private static int exchanges(Dataset<Row> query) {
    return WindowPlans.find(WindowPlans.plan(query), ShuffleExchangeExec.class).size();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select k, max(m), count(p) from WINDOW group by k | true",
        "select k, max(m), count(p) from WINDOW group by k | false",
        "select k as key, b, min(m) from WINDOW where m > -2 group by k, b | true",
        "select k, collect_set(b) from WINDOW group by k having max(m) > 0 | false",
        "select k, k2, max(m) from (select k, k % 3 as k2, m from WINDOW) group by k, k2 | true",
        "select k, count(distinct b), max(m) from WINDOW group by k | false",
        "select k, max(s) from (select k, sum(x) over (partition by k order by t) as s from (select"
            + " k, t, cast(m * 100 as int) as x from WINDOW)) group by k | true",
        "select k, e, max(m) from (select k, m, explode(array(b, b + 1)) as e from WINDOW) group by"
            + " k, e | false",
      })
  void aggregatesByTheKeysTakeSeriesAsTheyAre(String sql, boolean adaptive) {
    Dataset<Row> ours = same(sql, adaptive);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(WindowPlans.metric(ours, "cutSeries")).isZero();
    assertThat(exchanges(ours)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select b, max(m) from WINDOW group by b | 1 | true",
        "select b, max(x) from (select k, b, max(m) as x from WINDOW group by b, k) group by b | 1"
            + " | false",
      })
  void otherKeysAreShuffledOnceMore(String sql, int exchanges, boolean adaptive) {
    Dataset<Row> ours = same(sql, adaptive);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(exchanges(ours)).isEqualTo(exchanges);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select /*+ merge(x, y) */ x.k, x.m, y.n from WINDOW x join (select k, count(*) as n from"
            + " cells group by k) y on x.k = y.k | true",
        "select /*+ merge(x, y) */ x.k, x.m, y.b from (select k, max(m) as m from WINDOW group by"
            + " k) x join cells y on x.k = y.k | false",
        "select k, max(m) from (select k, m from WINDOW union all select k, m from WINDOW where b ="
            + " 1) group by k | true",
      })
  void whereRowsOfSeveralMeetSparkPlacesThem(String sql, boolean adaptive) {
    spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    Dataset<Row> ours = same(sql, adaptive);
    spark.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    assertThat(exchanges(ours)).isPositive();
  }
}
