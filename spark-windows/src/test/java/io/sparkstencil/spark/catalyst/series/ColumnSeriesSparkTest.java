/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.ColumnFilterExec;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Series of rows of columns of fixed width and texts stay columns, and have Spark's bits. */
@WithSpark
final class ColumnSeriesSparkTest {
  private static final int ROWS = 3013;
  private static final String FROM_COLUMNS = "(series from columns to columns)";
  private static final String FROM_ROWS = "(series from rows to columns)";

  /** Where {@code W} is a window, results of every type of cells. */
  private static final String WINDOWS =
      """
      select *, avg(d) over (W rows between 4 preceding and 3 following) as r0,
        sum(i) over (W rows between 4 preceding and 3 following) as r1,
        min(day) over (W rows between 2 preceding and 9 following) as r2,
        max(f) over (W rows between 40 preceding and 1 preceding) as r3,
        count(n) over (W rows between 4 preceding and 3 following) as r4,
        max(n) over (W rows between 4 preceding and 3 following) as r5,
        lag(s, 2) over (W) as r6, lead(l, 1, 5) over (W) as r7,
        count(*) over (W rows between 4 preceding and 300 following) as r8
      from cells
      """;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .sql(
            """
            select if(id % 50 = 7, null, cast(id % 13 as int)) as k, id * 3 as t,
              cast(id % 3 as tinyint) as b, cast(hash(id) % 30000 as smallint) as s,
              if(id % 9 = 0, null, hash(id)) as i, if(id % 5 = 0, null, xxhash64(id) >> 13) as l,
              case id % 8 when 0 then null when 1 then -0.0D when 2 then 0.0D
                when 3 then double('nan') when 4 then double('-infinity') else sin(id) end as d,
              case id % 9 when 0 then null when 1 then -0.0D when 2 then 0.0D
                when 3 then double('nan') when 4 then -double('nan') when 5 then -1D
                else id % 5 / 2D end as odd,
              cast(if(id % 17 = 0, 'NaN', cos(id)) as float) as f,
              if(id % 31 = 2, null, cast(id % 1000 as decimal(7, 2))) as m,
              cast(id as decimal(15, 4)) as n, id % 7 < 3 as even,
              date_add(date'2020-01-01', cast(id % 900 as int)) as day,
              timestamp_micros(id * 1000003) as at, make_ym_interval(0, cast(id % 77 as int)) as y,
              make_dt_interval(0, 0, 0, id % 99) as z,
              case id % 8 when 0 then null when 1 then '' when 2 then 'text ' || id % 11
                when 3 then repeat('€ä', cast(id % 700 as int)) when 4 then null
                else 'text ' || id % 11 end as text,
              if(id % 6 = 1, null, unhex(hex(id * id))) as bytes, cast(id % 2 as int) as file
            from range(0, ROWS, 1, 3)
            """
                .replace("ROWS", "" + ROWS))
        .write()
        .partitionBy("file")
        .parquet(folder.resolve("cells").toString());
  }

  private static void view(String sql) {
    Dataset<Row> all = spark.read().parquet(folder.resolve("cells").toString());
    all.createOrReplaceTempView("texts");
    all.drop("text", "bytes").createOrReplaceTempView("stored");
    spark.sql(sql).createOrReplaceTempView("cells");
  }

  private static Dataset<Row> same(String sql) {
    return WindowPlans.sameWithoutSpark(spark, sql);
  }

  private static void ranAs(Dataset<Row> ours, String way, long rows) {
    assertThat(WindowPlans.plan(ours).treeString()).contains(way);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t | true | 4",
        "partition by k order by t desc | false | 1",
        "partition by file, k, even order by t | true | 13",
        "partition by day order by d desc nulls last, t desc | false | 4",
        "partition by even, b order by f, d nulls last, t | true | 2",
        "partition by m order by l nulls last, t | false | 5",
        "partition by k, y order by k, at desc | true | 4",
        "partition by t order by t | false | 201",
        "partition by z order by i desc nulls first, n | true | 4",
        "partition by odd order by t | true | 4",
        "partition by odd, k order by odd, t desc | false | 3",
        "partition by file, cast(odd as float) order by t | true | 2",
        "partition by text order by t | true | 4",
        "partition by bytes order by t desc | false | 3",
        "partition by text, odd, k order by text desc, d, t | true | 5",
        "partition by substr(text, 1, 6), file order by t | false | 4",
      })
  void everyTypeFromAScan(String by, boolean adaptive, int partitions) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    spark.conf().set("spark.sql.columnVector.offheap.enabled", !adaptive);
    view("select * from texts");
    ranAs(same(WINDOWS.replace("W", by)), FROM_COLUMNS, ROWS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select k, t, d, text as name, bytes, text as twin from texts | k order by t | true",
        "select text, d, t, k from texts where text like '%7' | k order by t desc | false",
        "select k, t, d, bytes from texts where bytes is null or t % 4 = 1 | k order by t | true",
        "select b, t, d, string(t) as made from texts | b order by t | false",
        "select b, t, d, if(t < 9, repeat(text, 99), text) as made, bytes from texts | b order by t | true",
        "select k, t, d, cast(null as string) as text, date'2020-02-02' as day from texts | k order by t | false",
      })
  void textsPassThrough(String from, String by, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    view(from);
    String sql = "select *, avg(d) over (BY rows 9 preceding), lag(d, 3) over (BY) from cells";
    Dataset<Row> ours = same(sql.replace("BY", "partition by " + by));
    ranAs(ours, FROM_COLUMNS, WindowPlans.metric(ours, "numOutputRows"));
  }

  @Test
  void seriesAreInTheOrderOfTheirTexts() {
    spark.conf().set("spark.sql.shuffle.partitions", "1");
    view("select * from texts");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    List<String> keys =
        spark
            .sql(
                "select text, sum(t) over (partition by text order by t rows 2 preceding) from cells")
            .collectAsList()
            .stream()
            .map(row -> row.getString(0))
            .toList();
    List<String> sorted = new ArrayList<>(keys);
    sorted.sort(Comparator.nullsFirst(Comparator.naturalOrder())); // of bytes too, for these
    assertThat(keys).hasSize(ROWS).isEqualTo(sorted);
  }

  @Test
  void textsLongerThanPagesAndBatches() {
    Path files = folder.resolve("long");
    spark
        .sql(
            "select id % 2 as k, id as t, if(id % 3 = 0, 'short', repeat(string(id % 10),"
                + " 1 << cast(id as int))) as text, binary(repeat('€', id * 300)) as bytes"
                + " from range(0, 22, 1, 2)")
        .write()
        .parquet(files.toString());
    spark.read().parquet(files.toString()).createOrReplaceTempView("cells");
    ranAs(
        same("select *, sum(t) over (partition by k order by t rows 2 preceding) from cells"),
        FROM_COLUMNS,
        22);
    String made = "select *, text || t as more from cells where rand(1) + t > -1";
    ranAs(
        same(
            "select *, sum(t) over (partition by k order by t desc rows 2 preceding) from (%s)"
                .formatted(made)),
        FROM_ROWS,
        22);
    String longer = "select *, repeat(text, 11) as more from cells"; // than a batch of them may be
    Dataset<Row> ours =
        same(
            "select t, r, md5(more), md5(bytes), length(text) from (select *, sum(t) over (partition"
                + " by k order by t rows 2 preceding) as r from ("
                + longer
                + "))");
    assertThat(WindowPlans.plan(ours).treeString()).contains(FROM_COLUMNS);
  }

  @Test
  void rowsOfTextsAreThoseOfSpark() {
    view("select k, t, d, text, bytes from texts");
    String sql =
        "select *, count(d) over (partition by k order by t rows 2 preceding) as r from cells";
    Dataset<Row> ours = same("select distinct * from (" + sql + ") union (" + sql + ")");
    assertThat(ours.count()).isEqualTo(ROWS);
    ranAs(
        same("select text, max(bytes), sum(r) from (" + sql + ") group by text"),
        FROM_COLUMNS,
        ROWS);
    ranAs(
        same("select min(text), max(text), max(bytes), sum(r) from (" + sql + ")"),
        FROM_COLUMNS,
        ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from texts join (select id from range(3)) on s % 10 = id",
        "select * from stored where rand(3) < 0.5",
        "select * from texts where t in (select t + 3 from stored)",
      })
  void rowsBecomeColumns(String from) {
    view("select k, t, d from (%s)".formatted(from));
    String sql = "select *, avg(d) over (partition by k order by t rows 9 preceding) from cells";
    Dataset<Row> ours = same(sql);
    ranAs(ours, FROM_ROWS, WindowPlans.metric(ours, "numOutputRows"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select d, t as at, k as key, d as twin, m, even from stored | key order by at | false",
        "select k, d, t, s, s as same, file as part from texts where text is not null | k order by t | true",
        "select k, t, d from texts where text like '%7' and t % 3 = 0 and d > -1 | k order by t desc | false",
        "select k, t, d, i, l, n from stored where t >= 0 | k order by t | true",
        "select k, t, d from stored where d > 5 and d < 6 | k order by t | false",
        "select * from stored where even and y is not null and z > interval '7' second | k, b order by t | true",
        "select k, t, d, f, m, b, i from stored where nullif(b, 0) > 0 and 1 div b >= 0 | b order by t | false",
        "select k, t, d from stored where t > (select avg(t) from stored where k = 3) | k order by t | true",
        "select k, -t as t, cast(f as double) d, d * 2 as e, i is null n from stored | k order by t | false",
        "select length(text) as k, t, d, m * 2 as o, cast(b as smallint) c from texts | k order by t | true",
        "select k % 3 as k, t, d, make_date(2020, b + 1, 3) as g from texts where text > 't' | k order by t | false",
        "select * from (select *, d * 2 as x from stored where k > 1) where x < 1 | k, s % 2 order by x, t | true",
      })
  void selectionsAndFiltersOfAScan(String from, String by, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.columnVector.offheap.enabled", adaptive);
    view(from);
    String sql = "select *, avg(d) over (BY rows 9 preceding), lag(d, 3) over (BY) from cells";
    Dataset<Row> ours = same(sql.replace("BY", "partition by " + by));
    ranAs(ours, FROM_COLUMNS, WindowPlans.metric(ours, "numOutputRows"));
  }

  @Test
  void filtersOfColumnsCountTheRowsTheyLetThrough() {
    view("select t as at, k, d from stored where i > 0");
    Dataset<Row> ours =
        same("select *, avg(d) over (partition by k order by at rows 9 preceding) from cells");
    SparkPlan plan = WindowPlans.plan(ours);
    assertThat(plan.treeString()).contains("ColumnProject [", "ColumnFilter (isnotnull(i#");
    assertThat(WindowPlans.find(plan, ColumnFilterExec.class))
        .singleElement()
        .extracting(filter -> filter.metrics().apply("numOutputRows").value())
        .isEqualTo(spark.table("cells").count());
    spark.conf().set("spark.stencil.sql.enabled", "true");
    Dataset<Row> planned =
        spark.sql(
            "select *, sum(t) over (partition by k order by t rows 9"
                + " preceding) from stored where i > 0");
    assertThat(planned.queryExecution().simpleString()).contains(FROM_COLUMNS);
  }

  @Test
  void cachedColumns() {
    view("select k, t, d, i, s, l, f, b, even from stored where t >= 0");
    spark.table("cells").cache();
    String sql =
        "select *, avg(d) over (partition by k order by t rows 9 preceding) as r from cells";
    ranAs(same(sql), FROM_COLUMNS, ROWS);
    spark.catalog().clearCache();
  }

  @Test
  void partitionsOfACacheAreItsOwn(@TempDir Path files) {
    String table = files.resolve("table").toString();
    spark
        .sql("select cast(id % 13 as int) as k, id as t, sin(id) as d from range(0, 6000, 1, 6)")
        .write()
        .parquet(table);
    long longest =
        Stream.of(
                files.resolve("table").toFile().listFiles((all, name) -> name.endsWith("parquet")))
            .mapToLong(File::length)
            .max()
            .orElseThrow();
    // Three partitions of two files each: for two cores, four are better.
    spark.conf().set("spark.sql.files.openCostInBytes", "0");
    spark.conf().set("spark.sql.files.maxPartitionBytes", 2 * longest);
    spark.read().parquet(table).createOrReplaceTempView("cells");
    assertThat(spark.table("cells").javaRDD().getNumPartitions()).isEqualTo(3);
    String sql =
        "select *, avg(d) over (partition by k order by t rows 9 preceding) as r from cells";
    ranAs(same(sql), FROM_COLUMNS, 6000);
    spark.table("cells").cache().count();
    ranAs(same(sql), FROM_COLUMNS, 6000);
    assertThat(spark.table("cells").count()).isEqualTo(6000);
    spark.catalog().clearCache();
  }

  @Test
  void whatIsNotCoveredStaysRows() {
    view("select * from stored");
    String sql =
        "select *, avg(d) over (partition by BY rows between 1 preceding and 1 following) r"
            + " from (select *, array(k) as several from cells)";
    ranAs(same(sql.replace("BY", "k order by t")), FROM_ROWS, ROWS);
    String keys = "select k, t, d, avg(d) over (partition by BY rows 2 preceding) from cells";
    Dataset<Row> collated = same(keys.replace("BY", "collate(string(k), 'UNICODE') order by t"));
    assertThat(WindowPlans.columnRows(collated)).isZero(); // equal keys may have other bytes
    ranAs(same(keys.replace("BY", "k order by string(t)")), FROM_COLUMNS, ROWS);
    ranAs(same(keys.replace("BY", "k order by 'a', t")), FROM_COLUMNS, ROWS);
  }

  @Test
  void mapsOfRunningWindowsReadColumns() {
    view("select * from texts");
    String sql =
        "select *, row_number() over (W) r0, sum(l) over (W) r1, avg(d) over (W rows 3 preceding)"
            + " r2 from cells";
    Dataset<Row> ours = same(sql.replace("W", "partition by k, even order by t"));
    assertThat(WindowPlans.plan(ours).treeString()).contains(", shuffled as columns");
    assertThat(WindowPlans.series(ours)).hasSize(2);
  }

  @Test
  void aSecondWindowReadsTheColumnsOfTheFirst() {
    spark.conf().set("spark.sql.adaptive.enabled", "false"); // so that there is one plan
    view("select * from texts");
    String sql =
        "select *, sum(s) over (partition by s order by t, k rows 5 preceding) r1 from (select *,"
            + " avg(d) over (partition by k order by t rows 5 preceding) r0 from cells)";
    Dataset<Row> ours = same(sql);
    String plan = WindowPlans.plan(ours).treeString();
    assertThat(plan.split("series from columns to columns", -1)).as(plan).hasSize(3);
  }

  @Test
  void theReferenceEngineTakesColumnsToo() {
    spark.conf().set("spark.stencil.engine", "reference");
    view("select * from stored");
    ranAs(same(WINDOWS.replace("W", "partition by k order by t")), FROM_COLUMNS, ROWS);
  }

  @Test
  void scansOfNoFiles() {
    view("select * from stored where file = 7");
    assertThat(same(WINDOWS.replace("W", "partition by k order by t")).count()).isZero();
  }

  @Test
  void limitsAndAggregatesAbove() {
    view("select * from stored");
    String windows = WINDOWS.replace("W", "partition by k order by t");
    ranAs(
        same("select even, max(file), max(r0), sum(r8) from (" + windows + ") group by even"),
        FROM_COLUMNS,
        ROWS);
    spark.conf().set("spark.stencil.sql.enabled", "true");
    assertThat(spark.sql(windows).limit(10).collectAsList()).hasSize(10);
  }
}
