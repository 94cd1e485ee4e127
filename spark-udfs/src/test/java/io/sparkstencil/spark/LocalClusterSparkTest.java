/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.plan.StencilExec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** Two executor processes give the bits of one, also when one of them goes on the way. */
@TestMethodOrder(MethodOrderer.MethodName.class) // as each needs executors that the last left
@Timeout(240)
final class LocalClusterSparkTest {
  private static final int TASKS = 12;
  @TempDir static Path folder;
  private static String path;
  private static List<String> sorted;
  private static List<String> bounded;
  private static List<String> series;
  private static List<String> skewed;
  private static List<String> tiles;
  private static SparkSession cluster;

  @BeforeAll
  static void start() throws Exception {
    path = folder.resolve("series").toString();
    try (SparkSession local = Sessions.local()) {
      local
          .sql(
              "select id as t, sin(id) * 1e6 as v, cast(id % 7 as int) as g from range(0, 60000, 1,"
                  + " 12)")
          .write()
          .parquet(path);
      sorted = RowBits.of(sorted(local));
      bounded = RowBits.sorted(bounded(local, false));
      series = RowBits.sorted(series(local, false));
      skewed = RowBits.sorted(skewed(local, false));
      tiles = RowBits.sorted(tiles(local));
      assertThat(sorted).hasSize(60000).isEqualTo(RowBits.of(ordered(local)));
    }
    cluster = cluster();
  }

  @AfterAll
  static void stop() {
    cluster.stop();
  }

  static IntStream tasksBeforeTheKill() {
    return Boolean.getBoolean("sparkstencil.test.exhaustive")
        ? IntStream.of(2, 7, 9, 11, 14)
        : IntStream.of(2, 9, 14);
  }

  @Test
  void executorProcessesGiveTheSameBits() {
    assertThat(RowBits.of(ordered(cluster))).isEqualTo(sorted);
    assertThat(RowBits.sorted(bounded(cluster, true))).isEqualTo(bounded);
    assertThat(RowBits.sorted(series(cluster, true))).isEqualTo(series);
    assertThat(tiles).hasSize(30);
    assertThat(RowBits.sorted(tiles(cluster))).isEqualTo(tiles);
  }

  /**
   * Kept tiles, strips and rims go with it, while other tasks have read some of them: of 6 tasks
   * that keep tiles, 3 times as many as cores that bring edges, and 6 that read. A build kills one
   * executor in each of these stages.
   */
  @ParameterizedTest
  @MethodSource("tasksBeforeTheKill")
  void tilesSurviveAnExecutorThatIsKilled(int after) throws Exception {
    Watcher watcher = new Watcher(pids(), after, false);
    assertThat(RowBits.sorted(tiles(watcher.watched(cluster)))).isEqualTo(tiles);
    watcher.sawAnExecutorKilled();
  }

  private static Dataset<Row> tiles(SparkSession session) {
    Dataset<Row> table =
        session.sql(
            "select id div 6 as r, id % 6 as c, transform(sequence(0, 8), y -> transform(sequence(0, 6), x -> sin(id * 63 + y * 7 + x))) as z from range(0, 30, 1, 6)");
    return Stencils.tiles(table)
        .at("r", "c")
        .apply("stencil2d_slope(z, 3, 2, 'wrap')", "slope")
        .toDataset()
        .selectExpr("r", "c", "xxhash64(slope) as bits");
  }

  @Test
  void rangesSurviveAnExecutorThatIsKilled() throws Exception {
    // Of some 40 tasks of four stages: by then there is shuffled data to lose.
    Watcher watcher = new Watcher(pids(), 2 * TASKS + TASKS / 2, false);
    assertThat(RowBits.of(sorted(watcher.watched(cluster)))).isEqualTo(sorted);
    watcher.sawAnExecutorKilled();
  }

  @Test
  void seriesSurviveAnExecutorThatIsKilledWhileMapsWrite() throws Exception {
    Dataset<Row> query = series(cluster, true);
    Watcher watcher = new Watcher(pids(), TASKS / 2, false);
    watcher.watched(cluster);
    assertThat(RowBits.sorted(query)).isEqualTo(series);
    watcher.sawAnExecutorKilled();
    assertThat(watcher.written.get()).as("map tasks that succeeded").isGreaterThan(maps());
  }

  @Test
  void seriesSurviveAnExecutorThatIsKilledWhileItReads() throws Exception {
    Dataset<Row> query = series(cluster, true);
    Watcher watcher = new Watcher(pids(), TASKS, true);
    watcher.watched(cluster);
    assertThat(RowBits.sorted(query)).isEqualTo(series);
    watcher.sawAnExecutorKilled();
    assertThat(watcher.written.get()).as("map tasks that succeeded").isGreaterThan(maps());
  }

  @Test
  void skewedSeriesSurviveAnExecutorThatIsKilledWhileMapsWrite() throws Exception {
    haveSkewedBitsWithout(new Watcher(pids(), TASKS / 2, false));
  }

  @Test
  void skewedSeriesSurviveAnExecutorThatIsKilledWhileTheyAreSampled() throws Exception {
    haveSkewedBitsWithout(new Watcher(pids(), TASKS, true));
  }

  @Test
  void skewedSeriesSurviveAnExecutorThatIsKilledWhileMapsWriteStrips() throws Exception {
    int slices = 4; // twice the cores
    haveSkewedBitsWithout(new Watcher(pids(), TASKS + slices + slices / 2, false));
  }

  @Test
  void skewedSeriesSurviveAnExecutorThatIsKilledWhileItReadsStrips() throws Exception {
    Dataset<Row> query = skewed(cluster, true);
    assertThat(RowBits.sorted(query)).isEqualTo(skewed);
    assertThat(cutSeries(query)).isEqualTo(1);
    haveSkewedBits(query, new Watcher(pids(), 0, true)); // of what was shuffled before
  }

  private static void haveSkewedBitsWithout(Watcher watcher) throws Exception {
    Dataset<Row> query = skewed(cluster, true);
    haveSkewedBits(query, watcher);
    assertThat(cutSeries(query)).isEqualTo(1);
  }

  /** Runs the query while an executor is killed, with which some of what was shuffled goes. */
  private static void haveSkewedBits(Dataset<Row> query, Watcher watcher) throws Exception {
    watcher.watched(cluster);
    assertThat(RowBits.sorted(query)).isEqualTo(skewed);
    watcher.sawAnExecutorKilled();
    assertThat(watcher.written.get()).as("map tasks that succeeded").isPositive();
  }

  @Test
  void seriesOfAnExecutorThatIsDecommissionedAreMovedAndNotWrittenAgain() throws Exception {
    Dataset<Row> query = series(cluster, true);
    Map<String, Long> pids = pids();
    assertThat(RowBits.sorted(query)).isEqualTo(series);
    Watcher watcher = new Watcher(Map.of(), 0, false);
    watcher.watched(cluster);
    ExecutorAllocationClient executors =
        (ExecutorAllocationClient) cluster.sparkContext().schedulerBackend();
    ExecutorDecommissionInfo why = new ExecutorDecommissionInfo("test", Option.empty());
    String one = pids.keySet().iterator().next();
    assertThat(executors.decommissionExecutor(one, why, false, false)).isTrue();
    while (watcher.removed.get() == 0) {
      Thread.sleep(20);
    }
    assertThat(RowBits.sorted(query)).isEqualTo(series); // which reads what was shuffled before
    cluster.sparkContext().listenerBus().waitUntilEmpty(30_000);
    assertThat(watcher.ended.get()).as("tasks that read").isPositive();
    assertThat(watcher.written.get()).as("tasks that wrote").isZero();
  }

  private static Dataset<Row> ordered(SparkSession session) {
    return Stencils.over(session.read().parquet(path))
        .orderBy("t")
        .ordered()
        .mean("v", 20, "m")
        .toDataset();
  }

  private static Dataset<Row> sorted(SparkSession session) {
    session.conf().set("spark.sql.shuffle.partitions", TASKS);
    session.conf().set("spark.sql.adaptive.enabled", "false");
    return Stencils.over(session.read().parquet(path).repartition(TASKS))
        .orderBy("t")
        .mean("v", 20, "m")
        .toDataset();
  }

  private static Dataset<Row> bounded(SparkSession session, boolean ours) {
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

  /** Some rows of series of fixed-width columns, which stay columns. */
  private static Dataset<Row> series(SparkSession session, boolean ours) {
    return filtered(session, ours)
        .selectExpr(
            "t",
            "g as key",
            "v",
            "avg(v) over (partition by g order by t rows between 40 preceding and 3 following) m");
  }

  private static Dataset<Row> filtered(SparkSession session, boolean ours) {
    session.conf().set("spark.stencil.sql.enabled", ours);
    session.conf().set("spark.sql.adaptive.enabled", "false");
    session.conf().set("spark.sql.files.minPartitionNum", TASKS);
    return session.read().parquet(path).where("v < 9e5");
  }

  /** One series of nearly all rows, which is cut into ranges, and others. */
  private static Dataset<Row> skewed(SparkSession session, boolean ours) {
    session.conf().set("spark.stencil.sql.skewedBytes", "32k");
    return filtered(session, ours)
        .selectExpr("t", "if(t % 12 = 0, g, -1) as key", "v")
        .selectExpr(
            "*",
            "avg(v) over (partition by key order by t rows between 9 preceding and 5 following) m",
            "lag(v, 3) over (partition by key order by t) l");
  }

  /** Returns how many series were cut into ranges. */
  private static long cutSeries(Dataset<Row> query) {
    return cutSeries(
        ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution().executedPlan());
  }

  private static long cutSeries(SparkPlan plan) {
    long cut = plan instanceof StencilExec ? plan.metrics().apply("cutSeries").value() : 0;
    for (SparkPlan child : CollectionConverters.asJava(plan.children())) {
      cut += cutSeries(child);
    }
    return cut;
  }

  private static int maps() {
    return cluster.read().parquet(path).javaRDD().getNumPartitions();
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
        .config("spark.decommission.enabled", "true")
        .config("spark.storage.decommission.enabled", "true")
        .config("spark.storage.decommission.shuffleBlocks.enabled", "true")
        .config("spark.storage.decommission.replicationReattemptInterval", "200ms")
        .config("spark.shuffle.io.retryWait", "200ms")
        .getOrCreate();
  }

  /** Returns the processes of both executors, once both are there. */
  private static Map<String, Long> pids() throws Exception {
    JavaSparkContext context = new JavaSparkContext(cluster.sparkContext());
    Map<String, Long> pids = new HashMap<>();
    while (pids.size() < 2) {
      pids.clear();
      while (cluster.sparkContext().statusTracker().getExecutorInfos().length
          < 3) { // the driver and both
        Thread.sleep(50);
      }
      context
          .parallelize(List.of(1, 2, 3, 4), 4)
          .mapToPair(
              any -> {
                Thread.sleep(20); // so that one executor does not run all
                return new Tuple2<>(SparkEnv.get().executorId(), ProcessHandle.current().pid());
              })
          .collect()
          .forEach(each -> pids.put(each._1, each._2));
    }
    assertThat(pids).doesNotContainValue(ProcessHandle.current().pid());
    cluster.sparkContext().listenerBus().waitUntilEmpty(30_000);
    return pids;
  }

  /** Kills the process of an executor once, and counts tasks ended and executors lost. */
  private static final class Watcher extends SparkListener {
    private final Map<String, Long> pids;
    private final int after;
    private final boolean reads;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger removed = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();

    /**
     * Creates a watcher.
     *
     * @param pids processes of executors by their names; none to kill none
     * @param after so many tasks that have succeeded, the executor is killed that ran the last
     * @param reads whether it is rather the one that starts the next
     */
    Watcher(Map<String, Long> pids, int after, boolean reads) {
      this.pids = pids;
      this.after = after;
      this.reads = reads;
    }

    SparkSession watched(SparkSession session) throws Exception {
      session.sparkContext().listenerBus().waitUntilEmpty(30_000);
      session.sparkContext().addSparkListener(this);
      return session;
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      if (reads && ended.get() == after && killed.get() == 0) {
        kill(start.taskInfo().executorId());
      }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (end.taskInfo().successful() && end.taskType().equals("ShuffleMapTask")) {
        written.incrementAndGet();
      }
      if (end.taskInfo().successful() && ended.incrementAndGet() == after && !reads) {
        kill(end.taskInfo().executorId());
      }
    }

    private void kill(String executor) {
      ProcessHandle.of(pids.getOrDefault(executor, Long.MAX_VALUE))
          .ifPresent(process -> killed.addAndGet(process.destroyForcibly() ? 1 : 0));
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved lost) {
      removed.incrementAndGet();
    }

    void sawAnExecutorKilled() throws Exception {
      cluster.sparkContext().listenerBus().waitUntilEmpty(30_000);
      assertThat(killed.get()).as("executor processes killed").isEqualTo(1);
      assertThat(removed.get()).as("executors lost").isPositive();
      cluster.sparkContext().removeSparkListener(this);
    }
  }
}
