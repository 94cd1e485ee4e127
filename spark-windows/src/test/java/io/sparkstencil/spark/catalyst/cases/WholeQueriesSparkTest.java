/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Queries that add floating-point numbers of rows above a window, in the order in which these come,
 * have the bits of Spark's whole result where the rows are to be in Spark's partitions. {@code
 * -Dstencil.whole.queries=500} runs more of them.
 */
final class WholeQueriesSparkTest {
  private static final int QUERIES = Integer.getInteger("stencil.whole.queries", 16);
  private static final long SEED = Long.getLong("stencil.whole.seed", 58);
  private static final String AS_SPARK = "spark.stencil.sql.rowsAsSpark.enabled";

  private static final String[] WINDOWS = {
    "avg(v) over (W rows between 8 preceding and 8 following)",
    "sum(v) over (W rows 20 preceding)",
    "sum(v) over (W)",
    "v / rank() over (W)",
    "avg(v) over (W range between 500 preceding and current row)",
    "last(n) ignore nulls over (W)",
    "stddev(v) over (W rows 5 preceding)",
    "v - lag(v) over (W)"
  };

  private static final String[] ORDERS = {
    "partition by g order by t",
    "partition by g order by t",
    "partition by name order by t",
    "partition by g, h order by t",
    "partition by h order by t desc",
    "partition by h order by g desc",
    "order by t",
    "order by t desc",
    "order by g",
    "order by h desc"
  };

  private static final String[] AGGREGATES = {"avg", "sum", "stddev", "covar_samp(c, v) + max"};
  private static final String[] GROUPS = {"h", "t div 5000", "name", "g % 3, h", "1"};

  private static SparkSession spark;

  @BeforeAll
  static void start(@TempDir Path folder) {
    spark = Sessions.builder("local[2]").getOrCreate();
    String file = folder.resolve("cells").toString();
    spark
        .range(0, 20_000, 1, 5)
        .selectExpr(
            "cast(id * id % 211 as int) as g",
            "concat('name ', id % 37) as name",
            "if(id % 101 = 0, null, id % 7 / 2D) as h",
            "pmod(id * 7919, 20011) * 10 as t",
            "pmod(xxhash64(id), 1000000007) / 1e7 as v",
            "if(id % 3 = 0, pmod(xxhash64(id), 1000003) / 1e3, null) as n")
        .write()
        .parquet(file);
    spark.read().parquet(file).createOrReplaceTempView("cells");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void reset() {
    spark.conf().unset(AS_SPARK);
    spark.conf().set("spark.sql.adaptive.enabled", "true");
  }

  private static String pick(Random random, String... all) {
    return all[random.nextInt(all.length)];
  }

  private static String windowed(Random random) {
    String where = pick(random, "", " where v < 90", " where g <> 5");
    return "(select *, %s as c from cells%s)"
        .formatted(pick(random, WINDOWS).replace("W", pick(random, ORDERS)), where);
  }

  private static String relation(Random random) {
    return switch (random.nextInt(4)) {
      case 0 ->
          "(select * from %s union all select * from %s)"
              .formatted(windowed(random), windowed(random));
      case 1 ->
          "(select a.*, b.w from %s a join (select distinct g, g / 3D as w from cells) b on a.g = b.g)"
              .formatted(windowed(random));
      case 2 ->
          "(select *, max(c) over (partition by %s order by t rows 3 preceding) as more from %s)"
              .formatted(pick(random, "g", "name", "h"), windowed(random));
      default -> windowed(random);
    };
  }

  private static String query(Random random) {
    String groups = pick(random, GROUPS);
    String aggregate = pick(random, AGGREGATES);
    return "select %s, %s(c), sum(c * v), count(*) from %s group by %1$s"
        .formatted(groups, aggregate, relation(random));
  }

  private static void settings(Random random) {
    spark.conf().set("spark.sql.shuffle.partitions", pick(random, "1", "5", "16", "50"));
    spark.conf().set("spark.sql.adaptive.enabled", random.nextInt(4) > 0);
    spark
        .conf()
        .set("spark.sql.adaptive.coalescePartitions.parallelismFirst", random.nextBoolean());
    spark
        .conf()
        .set("spark.sql.adaptive.advisoryPartitionSizeInBytes", pick(random, "64m", "100k"));
    spark.conf().set("spark.sql.adaptive.coalescePartitions.minPartitionSize", "50k");
    spark.conf().set("spark.sql.autoBroadcastJoinThreshold", pick(random, "10m", "-1"));
    spark.conf().set("spark.stencil.sql.smallBytes", pick(random, "0", "4m"));
  }

  private static Dataset<Row> run(String sql, boolean ours) {
    spark.conf().set("spark.stencil.sql.enabled", ours);
    return spark.sql(sql);
  }

  /** Returns a query of ours whose rows are Spark's, where its stages and tasks are the same. */
  private static Dataset<Row> asSparks(
      String name, String sql, Function<Dataset<Row>, List<String>> words) {
    Dataset<Row> ours = run(sql, true);
    List<String> rows = words.apply(ours);
    String parts =
        CollectionConverters.asJava(spark.conf().getAll()).entrySet().stream()
            .filter(each -> each.getKey().matches("spark.sql.(adaptive|shuffle).*"))
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::toString)
            .collect(Collectors.joining(", "));
    WindowPlans.areSparks(spark, name + " " + parts, rows, () -> words.apply(run(sql, false)));
    return ours;
  }

  @Test
  void wholeResultsHaveTheBitsOfSpark() {
    spark.conf().set(AS_SPARK, "true");
    int windows = 0;
    for (int i = 0; i < QUERIES; i++) {
      Random random = new Random(SEED + i);
      settings(random);
      String sql = query(random);
      Dataset<Row> ours = asSparks("seed %d: %s".formatted(SEED + i, sql), sql, RowBits::sorted);
      windows += WindowPlans.ours(WindowPlans.plan(ours)).size();
    }
    assertThat(windows).as("windows of ours").isGreaterThanOrEqualTo(QUERIES);
  }

  /** Spark knows that each branch is one partition, and adds up the rows of both in one task. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "avg(v) over (W rows between 8 preceding and 8 following)",
        "sum(v) over (W)",
        "stddev(v) over (W rows 5 preceding)"
      })
  void unionsOfWindowsWithoutKeysAreAddedUpInOneTask(String window) {
    spark.conf().set(AS_SPARK, "true");
    String ascending = window.replace("W", "order by t");
    String descending = window.replace("W", "order by t desc");
    String sql =
        "select sum(c), stddev(c) from (select %s c from cells union all select %s from cells)"
            .formatted(ascending, descending);
    Dataset<Row> ours = asSparks(sql, sql, RowBits::sorted);
    assertThat(WindowPlans.ours(WindowPlans.plan(ours))).hasSize(2);
  }

  /** Rows leave one after the other as Spark's do, those that tie among them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rowsThatTieLeaveAsSparks(boolean adaptive) {
    spark.conf().set(AS_SPARK, "true");
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    for (String window : WINDOWS) {
      for (String order :
          List.of("order by g", "order by h desc", "partition by name order by h")) {
        String sql = "select *, %s as c from cells".formatted(window.replace("W", order));
        if (!window.contains("range") || order.equals("order by g")) {
          leavesAsSparks(sql);
        }
      }
    }
    for (String order : List.of("order by h", "partition by name order by h desc")) {
      String ranks = "select *, rank() over (%s) as c from cells".formatted(order);
      leavesAsSparks("select * from (%s) where c <= 2".formatted(ranks));
    }
  }

  /** Spark's sort by one column is not stable if that is null somewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "h",
        "nullif(g, 4)",
        "cast(h as decimal(9, 1))",
        "nullif(name, 'name 3')",
        "g",
        "h, g"
      })
  void rowsOfSeriesWithoutAnOrderLeaveAsSparks(String keys) {
    spark.conf().set(AS_SPARK, "true");
    spark.conf().set("spark.sql.shuffle.partitions", "3");
    for (String window : List.of("stddev(v)", "sum(v)", "last(t)")) {
      leavesAsSparks("select *, %s over (partition by %s) as c from cells".formatted(window, keys));
    }
  }

  private static void leavesAsSparks(String sql) {
    Dataset<Row> ours = asSparks("in order: " + sql, sql, RowBits::of);
    assertThat(WindowPlans.ours(WindowPlans.plan(ours))).as(sql).isNotEmpty();
  }

  /** The rows are in other partitions by default, and sums of them are rounded elsewhere. */
  @Test
  void otherPartitionsRoundOtherwise() {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    spark.conf().set("spark.sql.shuffle.partitions", "16");
    String sql =
        "select t div 2000, avg(c) from (select t, avg(v) over (partition by g order by t rows 8 preceding) c"
            + " from cells) group by 1";
    List<String> expected = RowBits.sorted(run(sql, false));
    assertThat(RowBits.sorted(run(sql, true))).isNotEqualTo(expected);
    spark.conf().set(AS_SPARK, "true");
    assertThat(RowBits.sorted(run(sql, true))).isEqualTo(expected);
  }
}
