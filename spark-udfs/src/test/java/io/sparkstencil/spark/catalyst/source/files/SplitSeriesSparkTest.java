/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.StencilExtensions;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Series stay with files that follow one another in the order of a window, with Spark's bits. */
final class SplitSeriesSparkTest {
  private static final int ROWS = 20_000;
  private static final int FILES = 8;

  private static final String FRAMES =
      """
      select *, avg(d) over (W rows between 8 preceding and 8 following) as r0,
        sum(i) over (W rows between 20 preceding and 1 preceding) as r1,
        lag(i, 3) over (W) as r2, max(d) over (W rows between 2 following and 9 following) as r3,
        count(*) over (W rows between 4 preceding and 3 following) as r4
      from TABLE
      """;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Sessions.stopOpen();
    spark = Sessions.builder("local[4]").withExtensions(new StencilExtensions()).getOrCreate();
    write("log", "id");
    write("late", "id div 2500 * 2500 + pmod(id * 7919, 2500)"); // in order from file to file
    write("shaken", "pmod(id * 7919, 20011)");
    write("nulls", "if(id = 10007, null, id)");
    spark
        .range(0, ROWS, 1, FILES)
        .selectExpr("id as t", "id div 8 as k", "cast(id as int) as i", "sin(id) as d")
        .createOrReplaceTempView("rows");
    save("short", spark.table("rows"));
    save("texts", spark.table("log").selectExpr("*", "'text ' || id as text"));
  }

  private static void save(String name, Dataset<Row> rows) {
    rows.write().parquet(folder.resolve(name).toString());
    spark.read().parquet(folder.resolve(name).toString()).createOrReplaceTempView(name);
  }

  /** Writes a table of series of many kinds: long and short, in all files and in some. */
  private static void write(String name, String t) {
    spark
        .range(0, ROWS, 1, FILES)
        .selectExpr(
            "id",
            t + " as t",
            """
            case when id % 7 = 0 then null when id % 1000 = 1 then 5 when id between 100 and 104
              then 6 when id div 2500 in (1, 4) and id % 2 = 0 then 7 else cast(id % 5 as int)
            end as k
            """,
            "if(id % 9 = 0, null, cast(hash(id) as int)) as i",
            """
            case id % 8 when 0 then null when 1 then -0.0D when 2 then 0.0D
              when 3 then double('nan') else sin(id) end as d
            """)
        .selectExpr("*", "t div 5 as tied", "id % 2 = 0 as even")
        .createOrReplaceTempView("rows");
    save(name, spark.table("rows"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void reset() {
    spark.conf().unset("spark.stencil.sql.files.enabled");
    spark.conf().unset("spark.sql.adaptive.enabled");
  }

  private static String frames(String window, String table) {
    return FRAMES.replace("W", window).replace("TABLE", table);
  }

  private static long stayed(Dataset<Row> query) {
    return WindowPlans.metric(query, "stayedRows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t | log | true",
        "partition by k order by t desc | log | true",
        "partition by k order by t | late | true",
        "partition by k, even order by t desc nulls first | late | false",
        "partition by k order by k, t, d | log | true",
        "partition by even order by tied, id desc | log | false",
      })
  void seriesStay(String window, String table, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", "" + adaptive);

    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, frames(window, table));

    assertThat(stayed(ours)).isGreaterThan(ROWS / 2);
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(select * from log where id % 3 = 1 and d is not null)",
        "(select id, t + 0 as moved, t, k, i, d from late where even)",
      })
  void belowThemRowsAreFilteredAndProjected(String table) {
    Dataset<Row> ours =
        WindowPlans.sameWithoutSpark(spark, frames("partition by k order by t", table));

    assertThat(stayed(ours)).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t | shaken", // files overlap
        "partition by k order by t | nulls", // footers say too little
        "partition by k order by tied + 1, id | log", // a column that no file has
        "partition by k order by t | short", // most rows would be sent
        "partition by k order by t | texts", // not of fixed width
        "partition by k order by t | (select * from log cluster by k)",
      })
  void othersAreShuffled(String window, String table) {
    assertThat(stayed(WindowPlans.sameAsSpark(spark, frames(window, table)))).isZero();
  }

  @Test
  void whereItIsSwitchedOffSeriesAreShuffled() {
    spark.conf().set("spark.stencil.sql.files.enabled", "false");

    String sql = frames("partition by k order by t", "log");

    assertThat(stayed(WindowPlans.sameWithoutSpark(spark, sql))).isZero();
  }

  @Test
  void framesOfTheirOwnRowSendNothing() {
    String sql = "select *, sum(i) over (partition by k order by t rows current row) r from log";

    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);

    assertThat(stayed(ours)).isGreaterThan(ROWS - 1000); // the short series is sent
  }

  @Test
  void wideFramesSendTheirSeries() {
    String sql =
        "select *, avg(d) over (partition by k order by t rows between REACH preceding and 3"
            + " following) r from log";

    assertThat(stayed(WindowPlans.sameWithoutSpark(spark, sql.replace("REACH", "40"))))
        .isPositive();
    assertThat(stayed(WindowPlans.sameWithoutSpark(spark, sql.replace("REACH", "400")))).isZero();
  }

  /** Rules at the ends of series hold there, and not where files end. */
  @ParameterizedTest
  @ValueSource(strings = {"shrink", "valid", "nearest", "reflect", "mirror", "constant:2"})
  void endsOfSeries(String boundary) {
    spark.conf().set("spark.stencil.sql.files.enabled", "false");
    List<String> expected = RowBits.sorted(smoothed(boundary));
    spark.conf().set("spark.stencil.sql.files.enabled", "true");

    Dataset<Row> ours = smoothed(boundary);

    assertThat(RowBits.sorted(ours)).isEqualTo(expected);
    assertThat(stayed(ours)).isPositive();
  }

  private static Dataset<Row> smoothed(String boundary) {
    return Stencils.over(spark.table("log"))
        .partitionBy("k")
        .orderBy("t")
        .boundary(boundary)
        .mean("d", 4, "mean")
        .weighted("i", 6, new double[] {1, 2, 3, 4, 5, 6, 7}, "weighted")
        .toDataset();
  }

  /** Frames, series and files at random, all of which are computed again by Spark. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void atRandom(long seed) {
    Random random = new Random(seed);
    int files = 2 + random.nextInt(5);
    int series = 1 + random.nextInt(12);
    String key =
        "cast(pmod(hash(id div %d), %d) as int)".formatted(1 + random.nextInt(300), series);
    String view = "random" + seed;
    save(
        view,
        spark
            .range(0, 8_000L * files, 1, files)
            .selectExpr(
                "id * 3 - 70000 as t",
                "nullif(%s, 4) as k".formatted(key),
                "nullif(cast(hash(id) % 1000 as int), 7) as i",
                "if(hash(id) % 5 = 0, null, sin(id)) as d"));
    int from = random.nextInt(40) - 20;
    int until = from + random.nextInt(40);
    String sql =
        """
        select *, sum(d) over (W rows between FROM and UNTIL) as r0,
          min(i) over (W rows between 1 preceding and UNTIL) as r1
        from cells
        """
            .replace("W", "partition by k order by t" + (random.nextBoolean() ? " desc" : ""))
            .replace("FROM", bound(from))
            .replace("UNTIL", bound(Math.max(until, 0)))
            .replace("cells", view);

    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);

    assertThat(stayed(ours)).as(sql).isPositive();
  }

  private static String bound(int offset) {
    return "%d %s".formatted(Math.abs(offset), offset < 0 ? "preceding" : "following");
  }

  @Test
  void memoryIsGivenBackWhenAQueryEnds() throws Exception {
    WindowPlans.sameWithoutSpark(spark, frames("partition by k order by t", "log"));

    spark.sparkContext().listenerBus().waitUntilEmpty(30_000);

    assertThat(CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs())).isEmpty();
  }

  @Test
  void rowsThatHaveLeftMemoryAreReadAgain() {
    SparkListener forgetting =
        new SparkListener() {
          @Override
          public void onStageCompleted(SparkListenerStageCompleted stage) {
            CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs())
                .values()
                .forEach(each -> each.unpersist(true));
          }
        };
    String sql = frames("partition by k order by t", "log");
    spark.sparkContext().addSparkListener(forgetting);
    try {
      assertThat(stayed(WindowPlans.sameWithoutSpark(spark, sql))).isPositive();
    } finally {
      spark.sparkContext().removeSparkListener(forgetting);
    }
  }
}
