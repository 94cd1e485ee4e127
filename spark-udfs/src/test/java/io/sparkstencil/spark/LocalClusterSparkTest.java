/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two executor processes give the bits of one, also when one of them is killed on the way. */
final class LocalClusterSparkTest {
  private static final int TASKS = 12;
  @TempDir Path folder;

  @Test
  @Timeout(240)
  void executorProcessesGiveTheSameBitsAlsoWhenOneIsKilled() throws Exception {
    String path = folder.resolve("series").toString();
    List<String> sorted;
    List<String> ordered;
    List<String> bounded;
    List<String> series;
    try (SparkSession local = Sessions.local()) {
      local
          .sql(
              "select id as t, sin(id) * 1e6 as v, cast(id % 7 as int) as g from range(0, 60000, 1,"
                  + " 12)")
          .write()
          .parquet(path);
      sorted = RowBits.of(sorted(local, path));
      ordered = RowBits.of(ordered(local, path));
      bounded = RowBits.sorted(bounded(local, path, false));
      series = RowBits.sorted(series(local, path, false));
    }
    assertThat(sorted).hasSize(60000).isEqualTo(ordered);
    try (SparkSession cluster = cluster()) {
      assertThat(RowBits.of(ordered(cluster, path))).isEqualTo(ordered);
      assertThat(RowBits.sorted(bounded(cluster, path, true))).isEqualTo(bounded);
      assertThat(RowBits.sorted(series(cluster, path, true))).isEqualTo(series);
      Killer killer = new Killer(executorPid(cluster));
      cluster.sparkContext().addSparkListener(killer);
      assertThat(RowBits.of(sorted(cluster, path))).isEqualTo(sorted);
      cluster.sparkContext().listenerBus().waitUntilEmpty(30_000);
      assertThat(killer.killed.get()).as("executor processes killed").isEqualTo(1);
      assertThat(killer.removed.get()).as("executors lost").isPositive();
    }
  }

  private static Dataset<Row> ordered(SparkSession session, String path) {
    return Stencils.over(session.read().parquet(path))
        .orderBy("t")
        .ordered()
        .mean("v", 20, "m")
        .toDataset();
  }

  private static Dataset<Row> sorted(SparkSession session, String path) {
    session.conf().set("spark.sql.shuffle.partitions", TASKS);
    session.conf().set("spark.sql.adaptive.enabled", "false");
    return Stencils.over(session.read().parquet(path).repartition(TASKS))
        .orderBy("t")
        .mean("v", 20, "m")
        .toDataset();
  }

  private static Dataset<Row> bounded(SparkSession session, String path, boolean ours) {
    session.conf().set("spark.stencil.sql.enabled", ours);
    session.conf().set("spark.sql.shuffle.partitions", TASKS);
    return session
        .read()
        .parquet(path)
        .selectExpr(
            "t",
            "sum(v) over (order by t range between 40 preceding and 3 following) s",
            "collect_list(t) over (order by t rows between 2 preceding and 1 following) l");
  }

  /** Series of fixed-width columns, which stay columns. */
  private static Dataset<Row> series(SparkSession session, String path, boolean ours) {
    session.conf().set("spark.stencil.sql.enabled", ours);
    return session
        .read()
        .parquet(path)
        .selectExpr(
            "*",
            "avg(v) over (partition by g order by t rows between 40 preceding and 3 following) m");
  }

  private static SparkSession cluster() throws Exception {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    return Sessions.builder("local-cluster[2,1,1024]")
        .config("spark.executor.memory", "1g")
        .config(
            "spark.executor.extraClassPath",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")))
        .getOrCreate();
  }

  private static long executorPid(SparkSession cluster) {
    List<Long> pids =
        new JavaSparkContext(cluster.sparkContext())
            .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
            .map(any -> ProcessHandle.current().pid())
            .distinct()
            .collect();
    assertThat(pids).isNotEmpty().doesNotContain(ProcessHandle.current().pid());
    return pids.get(0);
  }

  /** Kills an executor process after some tasks, and counts executors lost. */
  private static final class Killer extends SparkListener {
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger removed = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();

    private final long pid;

    Killer(long pid) {
      this.pid = pid;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      // Of some 40 tasks of four stages: by then there is shuffled data to lose.
      if (ended.incrementAndGet() == 2 * TASKS + TASKS / 2) {
        ProcessHandle.of(pid)
            .ifPresent(process -> killed.addAndGet(process.destroyForcibly() ? 1 : 0));
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved lost) {
      removed.incrementAndGet();
    }
  }
}
