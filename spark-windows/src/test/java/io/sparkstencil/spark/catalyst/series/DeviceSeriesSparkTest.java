/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A device that sorts the rows of series leaves Spark's bits, and the host does where it cannot.
 */
// Larger pages: or rows that found no memory would fill it anew.
@WithSpark(settings = "spark.buffer.pageSize=8m", options = "spark.sql.shuffle.partitions=2")
final class DeviceSeriesSparkTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();
  private static final int ROWS = 12_000;
  private static final String BY_TIME = "partition by k order by t";

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    PLAN.enable();
    spark = session;
    spark
        .sql(
            """
            select cast(id % 13 - 6 as int) as k, cast(hash(id) % 4 as tinyint) as b,
              (id * 7919) % 12007 - 6000 as t, xxhash64(id) as wide, id % 3 = 0 as even,
              date_add(date'1969-12-20', cast(id % 29 as int)) as day,
              if(id % 50 = 7, null, cast(id % 5 as int)) as missing, id % 4 / 2D as odd,
              if(id % 8 = 0, null, sin(id)) as v, if(id % 9 = 0, null, hash(id)) as i,
              id div 30 as block, cast(id as decimal(15, 4)) as n, if(id % 6 = 0, null, 'text ' || id % 3) as text,
              if(id % 11 = 0, null, left(hex(xxhash64(id)), cast(id % 17 as int))) as code
            from range(0, ROWS, 1, 3)
            """
                .replace("ROWS", "" + ROWS))
        .write()
        .parquet(folder.resolve("cells").toString());
  }

  @AfterAll
  static void stop() {
    PLAN.reset();
  }

  @BeforeEach
  void enable() {
    PLAN.enable();
  }

  @AfterEach
  void reset() {
    assertThat(PLAN.openLeases()).isZero();
  }

  private static Dataset<Row> same(String by, String columns) {
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
    return WindowPlans.sameWithoutSpark(
        spark,
        """
        select COLUMNS, avg(v) over (BY rows between 4 preceding and 3 following) as r0,
          sum(i) over (BY rows between 4 preceding and 3 following) as r1,
          lag(n, 2) over (BY) as r2, count(*) over (BY rows between 1 preceding and 4 following)
        from cells
        """
            .replace("COLUMNS", columns)
            .replace("BY", by));
  }

  private static Dataset<Row> same(String by) {
    return same(by, "k, b, t, wide, even, day, missing, odd, v, i, n");
  }

  private static long deviceRows(Dataset<Row> ours) {
    return WindowPlans.metric(ours, "deviceRows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t | true",
        "partition by k order by t desc | false",
        "partition by day, even, b order by t | true",
        "partition by even order by b, day desc, t | false",
        "partition by k order by wide, t | true",
        "partition by k order by b desc, wide desc, t | false",
        "partition by wide order by t | true",
        "partition by t order by k | false",
        "partition by even order by even, n desc | true",
        "partition by k order by odd, t | false",
      })
  void sortsByEveryKindOfNumber(String by, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    Dataset<Row> ours = same(by);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(deviceRows(ours)).isEqualTo(ROWS);
    assertThat(PLAN.calls(Fault.EngineCall.SORT)).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by missing order by t | k, v",
        "partition by k order by missing, t | k, v",
        "partition by odd order by t | k, v",
        "partition by text order by t | k, text",
        "partition by wide, t order by k | k, v",
      })
  void leavesToTheHostWhatItDoesNotSort(String by, String columns) {
    Dataset<Row> ours = same(by, columns);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(deviceRows(ours)).isZero();
    assertThat(PLAN.calls(Fault.EngineCall.SORT)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"auto, 12000, 0", "cpu, 0, 12000"})
  void textsGoWithTheirRows(String engine, long onDevice, long onHost) {
    spark.conf().set("spark.stencil.engine", engine);
    Dataset<Row> ours = same("partition by t order by k", "k, code, missing, v, text");
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(deviceRows(ours)).isEqualTo(onDevice);
    assertThat(WindowPlans.metric(ours, "hostRows")).isEqualTo(onHost);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sortsForWindowsThatAreNoStencils(boolean failing) {
    spark.conf().set("spark.sql.adaptive.enabled", false); // or there is one task
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
    if (failing) {
      PLAN.arm(Fault.EngineCall.SORT, Fault.Symptom.OUT_OF_MEMORY);
    }
    Dataset<Row> ours =
        WindowPlans.sameWithoutSpark(
            spark,
            """
            select k, t, text, row_number() over (BY) as r0, sum(v) over (BY) as r1,
              first(text) over (BY rows between 2 preceding and 1 following) as r2
            from cells
            """
                .replace("BY", BY_TIME));
    long onDevice = WindowPlans.seriesMetric(ours, "deviceRows");
    assertThat(onDevice).isBetween(1L, failing ? ROWS - 1L : ROWS);
    assertThat(onDevice == ROWS).isEqualTo(!failing);
    assertThat(WindowPlans.seriesMetric(ours, "columnRows")).isEqualTo(ROWS);
    assertThat(WindowPlans.seriesMetric(ours, "fallbacks")).isEqualTo(failing ? 1 : 0);
  }

  @Test
  void hostSortsTogetherWhatIsScatteredOverManySeries() {
    spark.conf().set("spark.stencil.engine", "cpu");
    String scattered = "partition by day, even order by t";
    assertThat(WindowPlans.metric(same(scattered), "hostRows")).isEqualTo(ROWS);
    for (String other : List.of("partition by block order by t desc", BY_TIME)) {
      Dataset<Row> ours = same(other); // series that come together, and few series
      assertThat(WindowPlans.metric(ours, "hostRows")).isZero();
    }
  }

  @Test
  void isNotAskedWhereOptionsSaySo() {
    spark.conf().set("spark.stencil.sql.deviceSort.enabled", "false");
    assertThat(deviceRows(same(BY_TIME))).isZero();
    spark.conf().unset("spark.stencil.sql.deviceSort.enabled");
    spark.conf().set("spark.stencil.engine", "cpu");
    assertThat(deviceRows(same(BY_TIME))).isZero();
    assertThat(PLAN.calls(Fault.EngineCall.OPEN_SORT)).isZero();
  }

  @Test
  void isNotThereForRowsWithoutMemory() {
    for (Fault.Symptom kind : List.of(Fault.Symptom.OUT_OF_MEMORY, Fault.Symptom.UNAVAILABLE)) {
      PLAN.enable(Fault.always(Fault.EngineCall.OPEN_SORT, kind));
      Dataset<Row> ours = same(BY_TIME);
      assertThat(deviceRows(ours)).isZero();
      assertThat(WindowPlans.metric(ours, "fallbacks")).isZero();
      assertThat(PLAN.struck()).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({"SORT, OUT_OF_MEMORY", "READ_SORT, OUT_OF_MEMORY"})
  void hostTakesOverWhereItFails(Fault.EngineCall call, Fault.Symptom kind) {
    spark.conf().set("spark.sql.adaptive.enabled", false); // or there is one task
    PLAN.arm(call, kind);
    Dataset<Row> ours = same(BY_TIME);
    assertThat(PLAN.struck()).isEqualTo(1);
    assertThat(deviceRows(ours)).isBetween(0L, ROWS - 1L);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(WindowPlans.metric(ours, "fallbacks")).isEqualTo(1);
  }

  @Test
  void taskFailsWithoutFallback() {
    spark.conf().set("spark.stencil.fallback", "false");
    PLAN.arm(Fault.EngineCall.SORT, Fault.Symptom.OUT_OF_MEMORY);
    assertThatThrownBy(() -> same(BY_TIME)).hasMessageContaining("injected: OUT_OF_MEMORY");
  }

  @Test
  void rowsThatTieStayAsTheyCame() {
    spark
        .range(0, ROWS, 1, 3)
        .selectExpr("id", "id % 3 as k", "hash(id) % 40 as t", "id * 1.5D as v")
        .createOrReplaceTempView("cells");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    String sql =
        "select *, avg(v) over (partition by k order by t rows between 4 preceding and 3 following)"
            + " from cells";
    Dataset<Row> onDevice = spark.sql(sql);
    List<String> rows = RowBits.of(onDevice);
    assertThat(deviceRows(onDevice)).isEqualTo(ROWS);
    spark.conf().set("spark.stencil.sql.deviceSort.enabled", "false");
    Dataset<Row> onHost = spark.sql(sql);
    assertThat(RowBits.of(onHost)).isEqualTo(rows);
    assertThat(deviceRows(onHost)).isZero();
  }

  /** Rows of a skewed series that tie are ordered by values, and then by the bits of these. */
  @Test
  void tiesAreBrokenByFractionsAsOnTheHost() {
    spark.conf().set("spark.stencil.sql.skewedBytes", "1");
    spark
        .range(0, 5 * ROWS, 1, 3)
        .selectExpr(
            "if(id % 10 < 9, 0, id % 50) as k", "id div 9000 as t", "2.5D as v", "hash(id) as i")
        .createOrReplaceTempView("skewed");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    String sql =
        "select *, lag(i) over (partition by k order by t) as before,"
            + " avg(v) over (partition by k order by t rows between 4 preceding and 3 following)"
            + " from skewed";
    Dataset<Row> onDevice = spark.sql(sql);
    List<String> rows = RowBits.sorted(onDevice);
    assertThat(deviceRows(onDevice)).isPositive();
    assertThat(WindowPlans.metric(onDevice, "cutSeries")).isPositive();
    spark.conf().set("spark.stencil.sql.deviceSort.enabled", "false");
    assertThat(RowBits.sorted(spark.sql(sql))).isEqualTo(rows);
  }
}
