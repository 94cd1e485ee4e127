/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of types without a fixed width travel in columns as the bytes that rows have of them. */
@WithSpark
final class AnyTypeSparkTest {
  private static final int ROWS = 1501;

  /** Columns of every type that is neither of fixed width nor a text. */
  private static final String NESTED =
      """
      if(id % 7 = 2, null, transform(sequence(0, id % 4), e -> if(e = 1, null, sin(id) + e))) as doubles,
      if(id % 5 = 3, null, array('a' || id % 9, null, '')) as words,
      if(id % 6 = 1, null, named_struct('n', if(id % 4 = 0, null, id % 10), 's', 'of ' || id % 3,
        'd', cast(id % 3 as decimal(30, 3)))) as pair,
      if(id % 9 = 4, null, map(id % 3, array(id), -1, null)) as entries,
      if(id % 8 = 5, null, cast(id % 40 - 20 as decimal(38, 4)) * 1000000000000000) as wide,
      array(named_struct('deep', array(map('k', id)))) as deep
      """;

  /** Windows of all ways, where {@code W} is an order, with keys or without. */
  private static final String WINDOWS =
      """
      avg(d) over (W rows between 4 preceding and 3 following) as r0,
      lag(s, 2) over (W) as r1
      """;

  private static final String LOOPS =
      """
      row_number() over (W) as r0, sum(d) over (W) as r1,
      max(s) over (W rows between 5 preceding and 1 following) as r2,
      count(wide) over (W) as r3
      """;

  private static final String PICKS =
      """
      first(pair) over (W rows between 3 preceding and 1 following) as r0,
      last(doubles, true) over (W rows between 3 preceding and current row) as r1,
      nth_value(wide, 2) over (W rows between 3 preceding and 2 following) as r2,
      last(entries) over (W rows between 3 preceding and 3 following) as r3,
      count(words) over (W rows between 3 preceding and 3 following) as r4
      """;

  private static final String OTHERS =
      """
      collect_list(s) over (W rows between 2 preceding and current row) as r0,
      sum(wide) over (W rows between 2 preceding and current row) as r1,
      max(pair) over (W rows between 2 preceding and current row) as r2
      """;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .sql(
            ("select id, pmod(id * 7919, 1511) as t, if(id % 50 = 7, null, cast(id % 13 as int)) as k,"
                    + " sin(id) as d, cast(hash(id) % 30000 as smallint) as s,"
                    + " if(id % 11 = 3, null, 'key ' || id % 3) as name, NESTED"
                    + " from range(0, ROWS, 1, 3)")
                .replace("ROWS", "" + ROWS)
                .replace("NESTED", NESTED))
        .write()
        .parquet(folder.resolve("nested").toString());
  }

  private static void view(String sql) {
    spark.read().parquet(folder.resolve("nested").toString()).createOrReplaceTempView("stored");
    spark.sql(sql).createOrReplaceTempView("cells");
  }

  private static Dataset<Row> same(String windows, String over) {
    String sql = "select *, %s from cells".formatted(windows.replace("W", over));
    return WindowPlans.sameWithoutSpark(spark, sql);
  }

  private static String windows(String kind) {
    return switch (kind) {
      case "stencils" -> WINDOWS;
      case "loops" -> LOOPS;
      case "picks" -> PICKS;
      default -> OTHERS;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from stored | true",
        "select * from stored | false",
        "select * from stored where size(doubles) > 0 or pair.n is null | false",
        "select * from stored left join (select id as i from range(400)) on id = i | false",
        "select *, make_interval(1, 2, 0, 3, 0, 0, 4.5) as span, if(id % 3 = 0, null, make_interval(0, 1, 0, int(id))) as some, parse_json(string(id)) as json, null as nothing, collate(name, 'UTF8_LCASE') as folded from stored | true",
      })
  void passThroughBesideWindows(String from, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    view(from);
    for (String kind : new String[] {"stencils", "loops", "picks", "others"}) {
      for (String over : new String[] {"partition by k order by t", "order by t"}) {
        Dataset<Row> ours = same(windows(kind), over);
        assertThat(WindowPlans.plan(ours).treeString())
            .as("%s over (%s)", kind, over)
            .doesNotContain("rows to rows");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name, id",
        "name desc nulls last, id",
        "wide, id",
        "wide desc, t",
        "doubles, id",
        "pair desc nulls last, id",
        "words, wide desc, t",
        "t, pair",
        "binary(name) desc, id",
        "collate(name, 'UTF8_LCASE'), id",
      })
  void giveAnOrder(String order) {
    view("select * from stored");
    spark.conf().set("spark.sql.shuffle.partitions", "3");
    for (String kind : new String[] {"stencils", "loops", "others"}) {
      for (String keys : new String[] {"partition by k ", ""}) {
        same(windows(kind), keys + "order by " + order);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "wide", "pair", "binary(name)", "words", "name desc, wide"})
  void tie(String order) {
    view("select * from stored");
    String ranks =
        "rank() over (W) as r0, dense_rank() over (W) as r1, percent_rank() over (W) as r2,"
            + " count(*) over (W) as r3, sum(s) over (W) as r4, cume_dist() over (W) as r5";
    for (String keys : new String[] {"partition by k ", ""}) {
      same(ranks, keys + "order by " + order);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"wide", "pair", "words", "name, wide"})
  void areKeys(String keys) {
    view("select * from stored");
    spark.conf().set("spark.sql.shuffle.partitions", "3");
    for (String kind : new String[] {"stencils", "loops", "picks", "others"}) {
      same(windows(kind), "partition by %s order by t".formatted(keys));
    }
  }

  @Test
  void rangesOfLongDecimals() {
    view("select *, cast(id as decimal(25, 0)) as m from stored");
    String frames =
        "sum(s) over (W range between 30 preceding and current row) as r0,"
            + " count(*) over (W range between 5 preceding and 9 following) as r1";
    same(frames, "partition by k order by m");
    same(frames, "order by m");
  }

  /** Rows of batches know neither intervals nor times by themselves. */
  @Test
  void intervalsAndTimesAreArguments() {
    spark.conf().set("spark.sql.timeType.enabled", "true");
    String time = spark.version().startsWith("4.0") ? "at" : "time'10:11:12' + at";
    view(
        "select id, k, t, if(id %% 9 = 4, null, make_interval(0, id %% 5, 0, id %% 3)) as span, %s as at"
                .formatted(time)
            + " from (select *, if(id % 7 = 2, null, make_dt_interval(0, 0, int(id % 60))) as at"
            + " from stored)");
    String picks =
        "first(span) over (W rows between 2 preceding and 1 following) as r0,"
            + " last(at, true) over (W rows between 3 preceding and current row) as r1,"
            + " nth_value(at, 2) over (W rows between 1 preceding and 2 following) as r2,"
            + " lag(span) over (W) as r3, max(at) over (W rows between 2 preceding and current row) as r4";
    same(picks, "order by t");
    same(picks, "partition by k order by t");
  }

  @Test
  void intervalsAfterNullsStayWithTheirRows() {
    view(
        "select id, k, t, s, if(id % 9 = 4, null, make_interval(0, id % 5)) as span,"
            + " if(id % 7 = 2, null, named_struct('i', if(id % 5 = 0, null, make_interval(id % 3)),"
            + " 'v', if(id % 4 = 0, null, parse_json(string(id))))) as pair,"
            + " map(id % 3, array(null, make_interval(0, 0, 0, id % 7))) as entries from stored");
    String picks =
        "first(pair) over (W rows between 2 preceding and 1 following) as r0,"
            + " last(entries) over (W rows between 3 preceding and 1 following) as r1,"
            + " first(span) over (W rows between 3 preceding and 1 following) as r2";
    same(picks, "order by t");
    for (String over : new String[] {"partition by k order by t", "order by t"}) {
      String sql =
          "select id, r, pair.i, pair.v, entries[1][1], span from (select *, sum(s) over (%s) as r"
              + " from cells) where extract(month from span) > 1 or extract(year from pair.i) = 1";
      WindowPlans.sameWithoutSpark(spark, sql.formatted(over));
    }
  }

  /** Values of columns are asked for one by one, where rows have been left out before. */
  @Test
  void intervalsOfSomeRowsAreArguments() {
    view(
        "select id, k, t, s, if(id % 9 = 4, null, make_interval(id % 4, id % 5)) as span,"
            + " named_struct('i', if(id % 5 = 0, null, make_interval(id))) as pair from stored");
    for (String over : new String[] {"partition by k order by t", "order by t"}) {
      String sql =
          "select *, sum(m + y) over (partition by s order by id) as q from (select id, s, extract(month"
              + " from span) as m, extract(year from pair.i) as y from (select *, sum(s) over (OVER) as r from cells)"
              + " where pmod(r, 3) = 1)";
      WindowPlans.sameWithoutSpark(spark, sql.replace("OVER", over));
    }
  }

  /** Spark has no code for functions of elements, which ask structs for values of any type. */
  @Test
  void structsInArraysAreArguments() {
    view(
        "select id, k, t, s, array(named_struct('i', make_interval(id % 4, id % 5), 'v',"
            + " parse_json(string(id)))) as pairs from stored");
    String sql =
        "select id, r, sum(id) over (partition by s order by id) as q from (select * from (select *,"
            + " sum(s) over (partition by k order by t) as r from cells) where ASKED and r <> 0)";
    for (String asked :
        new String[] {
          "exists(pairs, e -> extract(month from e.i) = 1)",
          "size(filter(transform(pairs, e -> e), e -> e.i is null)) = 0",
        }) {
      WindowPlans.sameWithoutSpark(spark, sql.replace("ASKED", asked));
    }
  }

  @Test
  void areNamedWhereASumFails() {
    view(
        "select make_interval(0, id) as span, named_struct('i', make_interval(id)) as pair, id, k, t,"
            + " wide, 9223372036854775000 + id as much from stored");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    for (String over : new String[] {"partition by k order by t", "order by t"}) {
      for (String frame : new String[] {"", " rows between 1 preceding and current row"}) {
        String sql = "select *, sum(much) over (%s%s) as r from cells".formatted(over, frame);
        assertThatThrownBy(() -> spark.sql(sql).collectAsList())
            .as(sql)
            .hasStackTraceContaining("ARITHMETIC_OVERFLOW");
      }
    }
  }

  @Test
  void areReadAboveWindows() {
    view("select * from stored");
    String sql =
        "select k, sum(r), max(pair.n), max(element_at(doubles, 1)), max(wide), sum(entries[0][0]),"
            + " max(deep[0].deep[0]['k']) from (select *, sum(s) over (partition by k order by t) as"
            + " r from cells) where size(words) > 1 group by k";
    WindowPlans.sameWithoutSpark(spark, sql);
  }
}
