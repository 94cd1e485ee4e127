/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.testkit.EndedWork;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Queries and jobs of each kind, cancelled at random: their tasks are gone within a second, nothing
 * is leaked, and the next query is right. {@code -Dtest.cancellations=N} cancels more of them.
 */
final class RandomCancellation implements AutoCloseable {
  private static final int CANCELLED = Integer.getInteger("test.cancellations", 24);
  private static final long SEED = 20261128;
  private static final int MOST_MILLIS = 700;

  private static final String WINDOWS =
      "SELECT max(c), count(*) FROM (SELECT %s AS c FROM rows) WHERE c IS NOT NULL";

  private static final List<String> QUERIES =
      List.of(
          window("avg(v) OVER (ORDER BY t ROWS BETWEEN 3000 PRECEDING AND 3000 FOLLOWING)"),
          window(
              "sum(v) OVER (PARTITION BY k ORDER BY t ROWS BETWEEN 8 PRECEDING AND 8 FOLLOWING)"),
          window(
              "max(v) OVER (PARTITION BY k ORDER BY t RANGE BETWEEN 9000 PRECEDING AND CURRENT ROW)"),
          window("sum(v) OVER (ORDER BY t RANGE BETWEEN 50000 PRECEDING AND 50000 FOLLOWING)"),
          window("stddev(v) OVER (ORDER BY t ROWS BETWEEN 3000 PRECEDING AND CURRENT ROW)"),
          window(
              "avg(v) OVER (PARTITION BY k ORDER BY t ROWS BETWEEN 2000 PRECEDING AND 2000 FOLLOWING)"),
          window("sum(v) OVER (ORDER BY t)"),
          window("rank() OVER (ORDER BY v)"),
          window("row_number() OVER (PARTITION BY k ORDER BY v, t)"),
          window(
              "max(s) OVER (PARTITION BY k ORDER BY t ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING)"),
          window(
              "count(v) OVER (PARTITION BY k % 2 ORDER BY t ROWS BETWEEN UNBOUNDED PRECEDING AND 5 FOLLOWING)"),
          window("lag(v, 3) IGNORE NULLS OVER (ORDER BY t)"),
          window("max(v) OVER (PARTITION BY 1 ORDER BY k)"),
          "SELECT max(stencil_expr(a, 'u + u[1]', 300000)[0]) FROM arrays",
          "SELECT max(stencil_mean(a, 200000)[0]) FROM arrays",
          "SELECT max(stencil_iterate(a, array(0.25D, 0.5D, 0.25D), 200000)[0]) FROM arrays",
          "SELECT max(stencil2d_gaussian(array(a, a, a), 20)[0][0]) FROM arrays");

  private final SparkSession spark;

  private static String window(String column) {
    return WINDOWS.formatted(column);
  }

  /** Starts a session with the tables of the queries. */
  RandomCancellation() throws InterruptedException {
    Sessions.stopOpen();
    spark =
        Sessions.builder("local[2]")
            .config("spark.stencil.sql.enabled", "true")
            .config("spark.sql.shuffle.partitions", "3")
            .getOrCreate();
    spark
        .range(0, 600_000, 1, 3)
        .selectExpr(
            "id * 7919 % 600011 AS t", "id % 97 AS k", "sin(id) AS v", "cast(id AS string) AS s")
        .createOrReplaceTempView("rows");
    spark
        .range(0, 40, 1, 2)
        .selectExpr("transform(sequence(1, 20000), x -> sin(x + id)) AS a")
        .createOrReplaceTempView("arrays");
    CancelledQuery.warmUp(spark);
  }

  @Override
  public void close() {
    spark.stop();
  }

  /** Returns the sum of a grid after some steps, where each step takes a while. */
  private Object grid() {
    try (StencilGrid grid =
            StencilGrids.builder(spark, ProgramText.parse("u' = u + 0.1*(u[-1,0] + u[1,0] - 2*u)"))
                .extent(1200, 1200)
                .field("u", cell -> cell[0] % 7 + cell[1])
                .blocks(3)
                .create();
        StencilGrid stepped = grid.step(400)) {
      return stepped.read("u");
    }
  }

  private List<Row> small() {
    return spark
        .sql(
            "SELECT k, sum(c) FROM (SELECT k, avg(v) OVER (PARTITION BY k ORDER BY t ROWS BETWEEN 2"
                + " PRECEDING AND 2 FOLLOWING) AS c FROM rows WHERE t < 5000) GROUP BY k ORDER BY k")
        .collectAsList();
  }

  /** Returns the bytes of execution memory and the blocks that are held a second from now. */
  private static long heldASecondLater() throws InterruptedException {
    long deadline = System.nanoTime() + EndedWork.soonMillis() * 1_000_000;
    long held = held();
    while (held > 0 && System.nanoTime() < deadline) {
      Thread.sleep(10);
      held = held();
    }
    return held;
  }

  private static long held() {
    return SparkEnv.get().memoryManager().executionMemoryUsed()
        + BlockRegistry.of(ExecutorRuntime.current()).count();
  }

  /**
   * Cancels queries on an engine.
   *
   * @param engine the value of {@code spark.stencil.engine}
   */
  void requireEndsSoonAndLeavesNothing(String engine) throws InterruptedException {
    spark.conf().set("spark.stencil.engine", engine);
    List<Row> expected = small();
    Random random = new Random(SEED);
    int early = 0;
    for (int i = 0; i < CANCELLED; i++) {
      int which = random.nextInt(QUERIES.size() + 1);
      Callable<?> query =
          which == QUERIES.size()
              ? this::grid
              : () -> spark.sql(QUERIES.get(which)).collectAsList();
      long after = random.nextInt(MOST_MILLIS);
      String what =
          "case %d of seed %d, cancelled after %d ms: %s"
              .formatted(i, SEED, after, which == QUERIES.size() ? "grid" : QUERIES.get(which));
      try {
        early += CancelledQuery.requireEndsSoon(spark, query, after, random.nextBoolean()) ? 1 : 0;
      } catch (AssertionError e) {
        throw new AssertionError(what, e);
      }
      assertThat(heldASecondLater()).as("memory and blocks after %s", what).isZero();
      assertThat(small()).as("the query after %s", what).isEqualTo(expected);
    }
    assertThat(early).as("queries that ended before they were cancelled").isLessThan(CANCELLED);
  }
}
