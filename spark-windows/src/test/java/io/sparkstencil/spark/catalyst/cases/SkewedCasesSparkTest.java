/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowExtensions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random stencils over series that are cut have Spark's bits. {@code -Dstencil.skewed.queries=N}
 * runs more than the usual few, {@code -Dstencil.skewed.seed=S} begins with another seed; a failure
 * names its seed.
 */
final class SkewedCasesSparkTest {
  private static final int QUERIES = Integer.getInteger("stencil.skewed.queries", 4);
  private static final long FIRST_SEED = Long.getLong("stencil.skewed.seed", 1L);

  @TempDir static Path folder;
  private SparkSession spark;

  @AfterEach
  void stop() {
    spark.stop();
  }

  /** With pages that are small, rows find no memory, and are sorted as rows. */
  @ParameterizedTest
  @CsvSource({"64m, 0", "16k, 1000000"})
  void randomStencilsOverSkewedSeriesHaveSparksBits(String page, long seeds) {
    spark =
        Sessions.builder("local[4]")
            .withExtensions(new WindowExtensions())
            .config("spark.buffer.pageSize", page)
            .config("spark.stencil.sql.skewedBytes", "1")
            .getOrCreate();
    int cut = 0;
    long columnRows = 0;
    for (long seed = FIRST_SEED + seeds; seed < FIRST_SEED + seeds + QUERIES; seed++) {
      Dataset<Row> ours = check(seed);
      cut += WindowPlans.metric(ours, "cutSeries") > 0 ? 1 : 0;
      columnRows += WindowPlans.columnRows(ours);
    }
    System.out.printf(
        "%d of %d queries with series that were cut, %d rows kept as columns, seeds from %d on%n",
        cut, QUERIES, columnRows, FIRST_SEED + seeds);
    assertThat(cut).isGreaterThanOrEqualTo(QUERIES / 2);
  }

  private Dataset<Row> check(long seed) {
    Random random = new Random(seed);
    Map<String, String> settings = settings(random);
    settings.forEach((key, value) -> spark.conf().set(key, value));
    SkewedCase query = SkewedCase.of(random);
    Dataset<Row> table = spark.sql(query.table());
    if (random.nextBoolean()) {
      String path = folder.resolve("seed-" + seed).toString();
      table.write().parquet(path);
      table = spark.read().parquet(path);
    }
    table.createOrReplaceTempView("cases");
    String sql = query.sql("cases");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    Dataset<Row> ours = spark.sql(sql);
    String where = "seed %d, %s:%n%s%n%s".formatted(seed, settings, query.table(), sql);
    List<String> rows;
    try {
      rows = RowBits.sorted(ours);
    } catch (RuntimeException e) {
      throw new AssertionError(where, e);
    }
    WindowPlans.areSparks(spark, where, rows, () -> WindowPlans.expected(spark, sql));
    assertThat(WindowPlans.stencils(ours)).as(where).isNotEmpty();
    assertThat(WindowPlans.sparks(ours)).as(where).isZero();
    if (query.distinct()) {
      assertThat(WindowPlans.metric(ours, "cutSeries")).as(where).isPositive();
    }
    return ours;
  }

  private static Map<String, String> settings(Random random) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.adaptive.enabled", String.valueOf(random.nextBoolean()));
    settings.put("spark.sql.codegen.wholeStage", String.valueOf(random.nextInt(4) > 0));
    settings.put("spark.sql.ansi.enabled", String.valueOf(random.nextBoolean()));
    settings.put(
        "spark.sql.shuffle.partitions", String.valueOf(new int[] {1, 2, 5, 40}[random.nextInt(4)]));
    settings.put("spark.sql.files.maxPartitionBytes", random.nextBoolean() ? "128m" : "20k");
    settings.put("spark.stencil.engine", random.nextInt(6) > 0 ? "auto" : "reference");
    return settings;
  }
}
