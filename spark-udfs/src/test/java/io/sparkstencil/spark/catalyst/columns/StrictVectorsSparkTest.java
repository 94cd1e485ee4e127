/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.arrays.ArrayProjectExec;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables whose columns answer what Spark asks of a column, and no more. */
@WithSpark
final class StrictVectorsSparkTest {
  private static final int ROWS = 600;

  /** Columns of all types that stay columns, with nulls, one of them with nothing else. */
  private static final String CELLS =
      """
      select id, if(id % 11 = 5, null, id % 4) as k, if(id % 3 = 0, null, id % 2 = 0) as b,
        if(id % 5 = 1, null, cast(id % 100 as tinyint)) as y,
        if(id % 7 = 1, null, cast(-id as smallint)) as h,
        if(id % 4 = 1, null, cast(id * 7 as int)) as i, if(id % 9 = 2, null, id * id) as l,
        if(id % 3 = 1, null, cast(id / 8 as float)) as f, if(id % 4 = 2, null, sin(id)) as d,
        if(id % 6 = 1, null, cast(id / 4 as decimal(9, 2))) as small,
        if(id % 6 = 2, null, cast(id / -4 as decimal(18, 4))) as large,
        if(id % 5 = 3, null, 'text ' || id % 13) as s,
        if(id % 5 = 4, null, cast(repeat('x', int(id % 9)) as binary)) as x,
        if(id % 8 = 3, null, timestamp_seconds(id)) as t,
        if(id % 8 = 4, null, date_from_unix_date(int(id))) as day,
        cast(null as double) as none, cast(null as string) as nothing
      from range(0, ROWS, 1, 1)
      """
          .replace("ROWS", String.valueOf(ROWS));

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static void cells(StrictVector.Kind kind) {
    StrictSource.table(spark, CELLS, kind).createOrReplaceTempView("strict");
  }

  private static void requireColumns(String windows, String from) {
    String sql = "select *, %s from %s".formatted(windows, from);
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.find(WindowPlans.plan(ours), ColumnarToRowExec.class))
        .as("rows are made of results alone")
        .allSatisfy(each -> assertThat(WindowPlans.ours(each.child())).isNotEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void seriesOfColumns(StrictVector.Kind kind) {
    cells(kind);
    String rows = "over (partition by k order by id rows 3 preceding)";
    for (String windows :
        List.of(
            "avg(d) W, sum(h) W, max(f) W, count(none) W, min(i) W, sum(y) W".replace("W", rows),
            "sum(l) W, rank() W, sum(small) W, max(s) W"
                .replace("W", rows.replace("rows 3 preceding", "")),
            "avg(large) over (partition by s, b order by l desc nulls last range 50 preceding)",
            "lag(x, 2) over (partition by y, f order by day, t, id)",
            "count(nothing) over (partition by none, x order by id rows between 1 following and 4"
                + " following)")) {
      requireColumns(windows, "strict");
      requireColumns(windows, "strict where d > 0.2 or i is null");
    }
  }

  @ParameterizedTest
  @EnumSource
  void selectionsAndComputedColumnsOfSelections(StrictVector.Kind kind) {
    cells(kind);
    String computed =
        """
        (select id, k, y, none, s, b, large, d * 2 as d, coalesce(i, -1) as i,
          s || k as sk, upper(nothing) as u
         from (select * from strict where b is null or not b) where l > 400 or f is null)
        """;
    requireColumns(
        "avg(d) W, count(u) W, sum(i) W, max(y) W"
            .replace("W", "over (partition by k order by id rows 5 preceding)"),
        computed);
    requireColumns("row_number() over (partition by sk order by large, id)", computed);
  }

  @ParameterizedTest
  @EnumSource
  void oneSeries(StrictVector.Kind kind) {
    cells(kind);
    for (String frame :
        List.of(
            "order by id rows 3 preceding",
            "order by id",
            "order by l, id desc rows unbounded preceding",
            "order by day nulls last, id rows between 1 preceding and 4 following")) {
      String windows =
          "avg(d) W, sum(l) W, count(none) W, max(f) W".replace("W", "over (" + frame + ")");
      for (String from : List.of("strict", "strict where d > 0.2 or i is null")) {
        WindowPlans.sameWithoutSpark(spark, "select *, %s from %s".formatted(windows, from));
      }
    }
    WindowPlans.sameWithoutSpark(
        spark,
        "select *, sum(y) over (order by i range between 90 preceding and 7 following),"
            + " rank() over (order by i) from strict");
  }

  @ParameterizedTest
  @EnumSource
  void rowsThatAreDeclaredOrdered(StrictVector.Kind kind) {
    String sql = "select id, b, y, h, i, l, f, d, small, large, t, day, none from (CELLS)";
    Dataset<Row> table = StrictSource.table(spark, sql.replace("CELLS", CELLS), kind);
    table.createOrReplaceTempView("declared");
    Dataset<Row> ours = Stencils.over(table).orderBy("id").ordered().mean("d", 2, "m").toDataset();
    assertThat(WindowPlans.plan(ours).toString()).contains("ColumnsToRows");
    spark.conf().set("spark.stencil.sql.enabled", "false");
    String window = "avg(d) over (order by id rows between 2 preceding and 2 following)";
    Dataset<Row> theirs = spark.sql("select *, %s from declared".formatted(window)).orderBy("id");
    assertThat(RowBits.of(ours)).isEqualTo(RowBits.of(theirs));
  }

  @ParameterizedTest
  @EnumSource
  void arrays(StrictVector.Kind kind) {
    Dataset<Row> table =
        StrictSource.table(
            spark,
            """
            select id, if(id % 5 = 1, null, array(1.5D, if(id % 3 = 0, null, id / 2), id)) as a,
              array(float(id), float(id + 1), float(id + 3)) as full,
              array(array(1D, id),
                if(id % 4 = 0, null, array(id, if(id % 7 = 2, null, 2D)))) as deep
            from range(0, 100, 1, 1)
            """,
            kind);
    table.createOrReplaceTempView("arrays");
    String sql =
        "select id, stencil_sum(a, 1) as a, stencil_mean(full, 1) as full,"
            + " stencil_max(deep, 1) as deep from ";
    Dataset<Row> ours = spark.sql(sql + "arrays");
    assertThat(WindowPlans.find(WindowPlans.plan(ours), ArrayProjectExec.class))
        .allSatisfy(each -> assertThat(each.child().supportsColumnar()).isTrue())
        .hasSize(1);
    assertThat(RowBits.sorted(ours))
        .isEqualTo(RowBits.sorted(spark.sql(sql + "(select * from arrays distribute by id)")));
  }
}
