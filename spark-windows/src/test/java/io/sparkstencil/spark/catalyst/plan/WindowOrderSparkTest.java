/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.immutable.Seq;

/** Rows whose order over all partitions is known stay where they are; only halos move. */
@WithSpark
final class WindowOrderSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String PARTITIONS = "spark.sql.shuffle.partitions";
  private static final String W = "(order by t rows between 2 preceding and 3 following)";

  private static final AtomicLong SERIAL = new AtomicLong();

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Dataset<Row> cells =
        spark
            .range(0, 1500)
            .selectExpr(
                "id",
                "if(id = 700, null, pmod(id * 7919, 1511)) as t",
                "cast(id % 13 as int) as g",
                "if(id % 11 = 0, null, sin(id)) as d",
                "cast(id as int) as i",
                "id % 5 as tie")
            .repartition(3);
    cells.createOrReplaceTempView("cells");
    cells.repartitionByRange(6, col("t")).createOrReplaceTempView("ranged");
    cells
        .repartitionByRange(6, col("t"))
        .sortWithinPartitions("t")
        .createOrReplaceTempView("sorted");
    cells.orderBy(col("t").desc()).createOrReplaceTempView("falling");
    cells.orderBy("t", "id").createOrReplaceTempView("finer");
    cells.orderBy("tie").createOrReplaceTempView("tied");
    cells.repartitionByRange(6, col("g")).createOrReplaceTempView("grouped");
    cells.where("id >= 0").orderBy("t").cache().createOrReplaceTempView("kept");
    spark.table("kept").count();
  }

  /** Returns the query after it ran, having compared its rows with Spark's. */
  private static Dataset<Row> same(String sql) {
    return WindowPlans.sameWithoutSpark(spark, sql);
  }

  private static long nextSerial() {
    return SERIAL.incrementAndGet();
  }

  /** Returns how many stencil operators shuffled their rows. */
  private static long shuffles(Dataset<Row> query) {
    return WindowPlans.stencils(WindowPlans.plan(query)).stream()
        .filter(each -> each.metrics().apply("shuffledBytes").value() > 0)
        .count();
  }

  @ParameterizedTest(name = "{0}, adaptive {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "sorted query | (select * from cells order by t) | true | 2 preceding and 3 following",
        "sorted query | (select * from cells order by t) | false | 1000 preceding and 2 preceding",
        "ranges | ranged | true | 1000 preceding and 2 preceding",
        "ranges | ranged | false | current row and current row",
        "sorted ranges | sorted | true | 2 preceding and 3 following",
        "cached table | kept | true | current row and current row",
        "cached table | kept | false | 1000 preceding and 2 preceding",
        "part of a cached table | (select * from kept where t > 1200 or t = 3) | true"
            + " | 2 preceding and 3 following",
        "renamed | (select id, time as t, d, i from (select *, t as time from kept)) | false"
            + " | current row and current row",
        "numbers | (select id as t, id, sin(id) as d, id as i from range(0, 900, 1, 7)) | true"
            + " | 1000 preceding and 2 preceding",
        "windows | (select *, sum(d) over "
            + W
            + " from kept) | true | current row and current row",
        "windows | (select *, sum(d) over "
            + W
            + " from kept) | false | 2 preceding and 3 following",
      })
  void isNotShuffledAgain(String name, String input, boolean adaptive, String frame) {
    spark.conf().set(ADAPTIVE, adaptive);
    Dataset<Row> query =
        same(
            "select id, avg(d) over W, sum(i) over W, count(*) over W from INPUT"
                .replace("W", "(order by t rows between " + frame + ")")
                .replace("INPUT", input));
    assertThat(shuffles(query)).as(WindowPlans.plan(query).treeString()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "'t, id rows 7 preceding', kept, true",
    "t desc rows 7 preceding, falling, false",
    "t desc rows 7 preceding, falling, true",
    "'tie, id rows 700 preceding', tied, false"
  })
  void orderMayGoOnAndFall(String window, String input, boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    String sql = "select id, sum(d) over (order by %s) from %s".formatted(window, input);
    assertThat(shuffles(same(sql))).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void windowsOverWindowsShuffleOnce(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    String sql =
        """
        select id, avg(c) over (order by t rows 40 preceding) as e from (
          select id, t, b + 1 as c from (
            select id, t, max(a) over W as b from (select id, t, sum(i) over W as a from cells))
          where b > 100)
        """
            .replace("W", W);
    Dataset<Row> query = same(sql);
    assertThat(WindowPlans.stencils(query)).hasSize(3);
    assertThat(shuffles(query)).isEqualTo(1);
  }

  /** A shuffle below gives its rows again, wherever they came from. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void windowsOverWindowsOverFilesShuffleOnce(boolean adaptive, @TempDir Path folder) {
    spark.conf().set(ADAPTIVE, adaptive);
    String file = folder.resolve("cells").toString();
    spark.table("cells").write().parquet(file);
    Dataset<Row> query =
        same(
            "select id, max(a) over W from (select id, t, sum(i) over W as a from parquet.`FILE`)"
                .replace("W", W)
                .replace("FILE", file));
    assertThat(shuffles(query)).isEqualTo(1);
  }

  /** Rows that tie may come in another order when they are read again, and get other results. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resultsThatDependOnTheOrderOfTiesAreShuffled(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    spark.conf().set(ENABLED, "true");
    Dataset<Row> query =
        spark.sql(
            "select a, sum(a) over (order by g, tie rows 2 preceding) from (select g, tie,"
                + " sum(i) over (partition by g order by tie rows 1 preceding) as a from grouped)");
    assertThat(query.count()).isEqualTo(1500);
    assertThat(WindowPlans.stencils(query)).hasSize(2);
    query.collectAsList();
    assertThat(shuffles(query)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void orderIsKnownToWhatFollows(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    Dataset<Row> query = same("select id, t, sum(i) over " + W + " s from kept order by t");
    assertThat(shuffles(query)).isZero();
    assertThat(RowBits.of(query))
        .isEqualTo(
            RowBits.of(
                spark.sql("select id, t, sum(i) over " + W + " s from kept order by t, id")));
    Dataset<Row> groups =
        same("select t, count(s) from (select t, sum(i) over " + W + " s from kept) group by t");
    assertThat(WindowPlans.find(WindowPlans.plan(groups), ShuffleExchangeExec.class))
        .noneMatch(exchange -> !WindowPlans.stencils(exchange).isEmpty());
  }

  @Test
  void partitionsThatAdaptiveExecutionJoinedKeepTheOrder() {
    spark.conf().set(ADAPTIVE, "true");
    spark.conf().set(PARTITIONS, "50");
    Dataset<Row> query =
        same("select id, sum(d) over " + W + " from (select * from cells order by t)");
    assertThat(WindowPlans.find(WindowPlans.plan(query), AQEShuffleReadExec.class))
        .anyMatch(AQEShuffleReadExec::hasCoalescedPartition);
    assertThat(shuffles(query)).isZero();
  }

  /** Of rows with equal t some may be in the next partition: what follows must not rely on it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void finerRangesAreShuffled(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    assertThat(shuffles(same("select id, sum(d) over " + W + " from finer"))).isEqualTo(1);
  }

  /** A row must not have two values, one in its own partition and one beside the next. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rowsThatCannotBeReadTwiceAreShuffled(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    spark.conf().set(ENABLED, "true");
    Dataset<Row> query =
        spark.sql(
            "select t, r, lag(r, 1) over (order by t) as before from (select t, rand() as r from"
                + " kept)");
    List<Row> rows = query.collectAsList();
    assertThat(rows).hasSize(1500);
    for (int at = 1; at < rows.size(); at++) {
      assertThat(rows.get(at).getDouble(2)).isEqualTo(rows.get(at - 1).getDouble(1));
    }
    assertThat(shuffles(query)).isEqualTo(1);
  }

  /** What is cached is computed again where it did not fit or was lost with an executor. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cachedRowsThatWouldNotBeTheSameAgainAreShuffled(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    spark
        .udf()
        .register("serial", udf(WindowOrderSparkTest::nextSerial, LongType).asNondeterministic());
    Dataset<Row> table =
        spark.sql("select t, serial() as r from (select t from cells where id > 0 order by t)");
    // There is no memory of this kind: nothing is kept.
    table.persist(StorageLevel.apply(false, true, true, false, 1));
    table.createOrReplaceTempView("lost");
    spark.table("lost").count();
    spark.conf().set(ENABLED, "true");
    Dataset<Row> query = spark.sql("select t, r, lag(r, 1) over (order by t) as before from lost");
    List<Row> rows = query.collectAsList();
    table.unpersist();
    assertThat(rows).hasSize(1499);
    for (int at = 1; at < rows.size(); at++) {
      assertThat(rows.get(at).getLong(2)).as("row %d", at).isEqualTo(rows.get(at - 1).getLong(1));
    }
    assertThat(shuffles(query)).isEqualTo(1);
  }

  /**
   * A rank that needs the number of rows reads them twice; those of the stencil differ each time.
   */
  @Test
  void ranksOverStencilsOfRowsThatWouldNotBeTheSameAgainAreShuffled() {
    spark
        .udf()
        .register("serial", udf(WindowOrderSparkTest::nextSerial, LongType).asNondeterministic());
    spark.conf().set(ENABLED, "true");
    String some = "(select id from range(0, 3000, 1, 1) where xxhash64(serial()) > 0)";
    String means = "(select id, avg(id) over (order by id rows 2 preceding) m from %s)";
    List<Row> rows =
        spark
            .sql(
                "select m, percent_rank() over (order by id) from %s where m >= 0"
                    .formatted(means.formatted(some)))
            .collectAsList();
    assertThat(rows.get(0).getDouble(1)).isEqualTo(0.0);
    assertThat(rows.get(rows.size() - 1).getDouble(1)).isEqualTo(1.0);
  }

  /** A plan asks its operators many times; each asks those below. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void windowsOverManyWindowsAskEachOfThemAFewTimes(boolean single) {
    spark.conf().set(ENABLED, "true");
    Dataset<Row> query =
        spark.sql("select t, avg(i) over (order by t rows 2 preceding) from cells");
    StencilExec stencil = WindowPlans.stencils(WindowPlans.plan(query)).get(0);
    LookedAt rows = new LookedAt(stencil.child(), single, stencil.outputOrdering());
    StencilExec top = (StencilExec) stencil.withNewChildInternal(rows);
    for (int above = 1; above < 16; above++) {
      top = (StencilExec) stencil.withNewChildInternal(top);
    }
    assertThat(top.canBeReadAgain()).isEqualTo(!single);
    assertThat(top.outputPartitioning() instanceof SinglePartition$).isEqualTo(single);
    assertThat(top.argString(25)).isNotEmpty();
    assertThat(rows.looks.get()).isBetween(1, 100);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tiesGiveResultsThatSparkCouldHaveGiven(boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    spark.conf().set(ENABLED, "true");
    for (String input : List.of("tied", "(select * from cells order by tie)")) {
      Dataset<Row> query =
          spark.sql(
              "select tie, i, sum(i) over (order by tie rows 1 preceding) as s from INPUT"
                  .replace("INPUT", input));
      List<Row> rows = query.collectAsList();
      assertThat(shuffles(query)).isZero();
      assertThat(rows.stream().map(row -> row.getInt(1)).distinct()).hasSize(1500);
      for (int at = 0; at < rows.size(); at++) {
        Row row = rows.get(at);
        int before = at == 0 ? 0 : rows.get(at - 1).getInt(1);
        assertThat(row.getLong(2)).isEqualTo(row.getInt(1) + before);
        assertThat(at == 0 || rows.get(at - 1).getLong(0) <= row.getLong(0)).isTrue();
      }
    }
  }

  /** Rows in order, for plans that are not run, which counts how often its partitions are asked. */
  private static final class LookedAt extends UnaryOperator {
    private static final long serialVersionUID = 1L;

    private final boolean single;
    private final Seq<SortOrder> order;
    private final AtomicInteger looks = new AtomicInteger();

    LookedAt(SparkPlan child, boolean single, Seq<SortOrder> order) {
      super(child);
      this.single = single;
      this.order = order;
    }

    @Override
    public Partitioning outputPartitioning() {
      looks.incrementAndGet();
      return single ? SinglePartition$.MODULE$ : new UnknownPartitioning(3);
    }

    @Override
    public Seq<SortOrder> outputOrdering() {
      return order;
    }

    @Override
    public Seq<Attribute> output() {
      return child().output();
    }

    @Override
    public SparkPlan withNewChildInternal(SparkPlan newChild) {
      return new LookedAt(newChild, single, order);
    }

    @Override
    public RDD<InternalRow> doExecute() {
      return child().execute();
    }

    @Override
    public List<Object> elements() {
      return List.of(child(), single, order);
    }
  }
}
