/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.conf.StencilOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Grids on executors in processes of their own, which end or do not get their blocks. */
@Timeout(600)
final class GridClusterSparkTest {
  private static final int EXECUTORS = 3;
  private static final int SUPERSTEPS = 24;
  private static GridCluster cluster;
  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster = new GridCluster(EXECUTORS);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void waitForTheExecutorsOfBlocks() {
    cluster.localityWait("3s");
    cluster.session().conf().unset(StencilOptions.GRID_LOG_BYTES.key());
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    cluster.awaitEmpty();
  }

  static LongStream seeds() {
    return Boolean.getBoolean("sparkstencil.test.exhaustive")
        ? LongStream.range(0, 20)
        : LongStream.of(13);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoKillsAtRandomMomentsLeaveTheBits(long seed) throws Exception {
    Random random = new Random(seed);
    cluster.localityWait(random.nextBoolean() ? "3s" : "0s");
    // with little room for faces all blocks begin again
    cluster.session().conf().set(StencilOptions.GRID_LOG_BYTES.key(), seed % 2 == 0 ? "16g" : "1");
    WholeGrid whole =
        WholeGrid.heat(
            1 + random.nextInt(3),
            random.nextBoolean() ? ElementType.F32 : ElementType.F64,
            random.nextBoolean() ? Boundary.WRAP : Boundary.REFLECT);
    Kills kills = new Kills(random, SUPERSTEPS / 10, SUPERSTEPS / 2);
    GridBuilder builder =
        whole.builder(cluster.session()).blocks(1 + random.nextInt(12)).listener(kills);
    int atOnce = List.of(0, 1, 3, 8).get(random.nextInt(4));
    if (atOnce > 0) {
      builder.stepsPerExchange(atOnce);
    }
    if (random.nextBoolean()) {
      builder.checkpoints(folder.resolve("kept").toString(), 1 + random.nextInt(SUPERSTEPS));
    }
    try (StencilGrid grid = builder.create()) {
      StencilGrid before = grid.step(grid.stepsPerExchange());
      kills.among(List.copyOf(cluster.processesByLocation(before.executors()).values()));

      StencilGrid after = before.step((SUPERSTEPS - 1L) * grid.stepsPerExchange());

      kills.requireDone();
      long steps = (long) SUPERSTEPS * grid.stepsPerExchange();
      assertThat(after.steps()).isEqualTo(steps);
      assertThat(after.read("u")).isEqualTo(whole.after(steps));
    }
  }

  @Test
  void onlyTheBlocksOfAKilledExecutorAreReplayed() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    AtomicBoolean armed = new AtomicBoolean();
    List<ProcessHandle> victim = new ArrayList<>();
    try (StencilGrid grid =
        whole
            .builder(cluster.session())
            .blocks(7)
            .stepsPerExchange(2)
            .listener(
                progress -> {
                  if (progress.done() >= 10 && armed.compareAndSet(true, false)) {
                    victim.get(0).destroyForcibly();
                  }
                })
            .create()) {
      StencilGrid before = grid.step(6);
      assertThat(before.metrics().replayedBlocks()).isEmpty();
      List<String> places = before.executors();
      victim.add(cluster.processesByLocation(places).get(places.get(0)));
      List<Integer> lost =
          IntStream.range(0, places.size())
              .filter(block -> places.get(block).equals(places.get(0)))
              .boxed()
              .toList();
      armed.set(true);

      StencilGrid after = before.step(30);

      assertThat(armed).isFalse();
      assertThat(after.read("u")).isEqualTo(whole.after(36));
      assertThat(lost).hasSizeBetween(1, 4);
      List<String> now = after.executors();
      assertThat(after.metrics().replays().keySet())
          .containsAll(lost)
          .as("those of the killed executor, and those that Spark has moved since")
          .allMatch(block -> lost.contains(block) || !now.get(block).equals(places.get(block)));
    }
  }

  /** Tasks wait for its faces for two seconds, and their next job for the rest. */
  @Test
  void anExecutorThatIsBusyHoldsOthersUpAndNothingIsReplayed() throws Exception {
    cluster.executors();
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    try (StencilGrid grid =
        whole.builder(cluster.session()).blocks(6).stepsPerExchange(1).create()) {
      StencilGrid before = grid.step(3);
      assertThat(before.read("u")).isEqualTo(whole.after(3));
      long jobs = before.metrics().jobs();
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(
              () -> cluster.spark().parallelize(List.of(1), 1).foreach(any -> Thread.sleep(2600)));
      Thread.sleep(300); // it has begun

      StencilGrid after = before.step(40);

      other.get();
      assertThat(after.read("u")).isEqualTo(whole.after(43));
      assertThat(after.metrics().replayedBlocks()).isEmpty();
      assertThat(after.metrics().jobs() - jobs).as("for 40 supersteps").isLessThan(20);
    }
  }

  /** Other jobs take the cores, so that hardly a task runs where its block is. */
  @Test
  void tasksThatLandElsewhereAreRightAndLeaveNoCopies() throws Exception {
    cluster.localityWait("0s");
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> others = CompletableFuture.runAsync(() -> occupy(over, 10));
    try (StencilGrid grid =
        whole
            .builder(cluster.session())
            .blocks(6)
            .stepsPerExchange(1)
            .checkpoints(folder.resolve("kept").toString(), 3)
            .create()) {
      StencilGrid after = grid.step(4);
      assertThat(after.read("u")).isEqualTo(whole.after(4));
      Dataset<Row> rows = after.toDataset();
      assertThat(after.step(1).read("u")).isEqualTo(whole.after(5));
      assertThat(rows.sort("x", "y").select("u").as(Encoders.FLOAT()).collectAsList())
          .containsExactly(ArrayUtils.toObject((float[]) whole.after(4)));
      assertThat(after.metrics().replayedBlocks()).as("blocks that have moved").isNotEmpty();
      over.set(true);
      others.get();
      while (cluster.heldBlocks() > 6) {
        Thread.sleep(20); // copies that blocks have left behind are dropped soon
      }
    } finally {
      over.set(true);
    }
  }

  /** Supersteps are so long that it pays to move blocks, even to a cold process. */
  @Test
  void blocksTakeTheirCellsToTheExecutorThatComes() {
    cluster.localityWait("300s"); // nobody waits so long for the executor that is gone
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    List<ProcessHandle> victim = new ArrayList<>();
    try (StencilGrid grid =
        whole
            .slowBuilder(cluster.session(), 120)
            .blocks(2 * EXECUTORS)
            .stepsPerExchange(1)
            .listener(
                progress -> {
                  if (progress.done() == 5) {
                    victim.get(0).destroyForcibly();
                  }
                })
            .create()) {
      StencilGrid before = grid.step(4);
      List<String> places = before.executors();
      victim.add(cluster.processesByLocation(places).get(places.get(0)));

      StencilGrid after = before.step(64);

      assertThat(after.read("u")).isEqualTo(whole.after(68));
      assertThat(after.executors())
          .doesNotContain(places.get(0))
          .allMatch(place -> Collections.frequency(after.executors(), place) == 2);
      assertThat(after.metrics().replayedBlocks()).as("blocks that were lost").hasSize(2);
    }
  }

  /** A task of each executor that takes them again waits for its core; none is placed elsewhere. */
  @Test
  void aReplayThatTakesLongerThanTasksWaitStaysWithItsExecutors() {
    cluster.localityWait("900ms");
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    Killer killer = new Killer();
    try (StencilGrid grid =
        whole
            .slowBuilder(cluster.session(), 20)
            .blocks(4 * EXECUTORS)
            .stepsPerExchange(1)
            .listener(killer)
            .create()) {
      StencilGrid before = grid.step(30);
      List<String> places = before.executors();
      assertThat(before.metrics().replays()).isEmpty();
      killer.killAfter(1, cluster.processesByLocation(places).get(places.get(0)));

      StencilGrid after = before.step(12);

      assertThat(killer.isDone()).isTrue();
      assertThat(after.read("u")).isEqualTo(whole.after(42));
      GridMetrics done = after.metrics();
      assertThat(done.replayedBlocks())
          .as("of the executor that was killed")
          .isEqualTo(
              IntStream.range(0, places.size())
                  .filter(block -> places.get(block).equals(places.get(0)))
                  .boxed()
                  .collect(Collectors.toSet()));
      assertThat(done.replays().values())
          .as("each superstep once")
          .allMatch(supersteps -> supersteps >= 30 && supersteps <= 42);
      assertThat(done.repairs()).isEqualTo(1);
      assertThat(done.times().again())
          .as("half of them on each of two executors, 20 ms each")
          .isBetween(0.5 * 0.02 * done.replayedSupersteps(), done.times().steps() / 4);
      assertThat(after.explain())
          .contains("; one executor took %.3f s".formatted(done.times().again()));
    }
  }

  private static void occupy(AtomicBoolean over, int millis) {
    while (!over.get()) {
      cluster
          .spark()
          .parallelize(IntStream.range(0, 2 * EXECUTORS).boxed().toList(), 2 * EXECUTORS)
          .foreach(task -> Thread.sleep(millis * task));
    }
  }

  /** A block fails while another is still being made: that task goes on when the grid is closed. */
  @Test
  void aFailedJobLeavesNothingThoughAnotherOfItsTasksGoesOn() throws IOException {
    String begun = folder.resolve("begun").toString();
    String closed = folder.resolve("closed").toString();
    try (StencilGrid grid =
        WholeGrid.heat(Boundary.REFLECT)
            .bareBuilder(cluster.session())
            .parameter("a", 0.1)
            .field("u", at -> slowOrBad(at, begun, closed))
            .blocksPerAxis(2, 1)
            .create()) {
      assertThatThrownBy(() -> grid.step(4))
          .isInstanceOf(SparkException.class)
          .hasStackTraceContaining("no cell at [0, 0]");
    }
    Files.createFile(Path.of(closed));
  }

  private static double slowOrBad(long[] at, String begun, String closed) {
    if (at[1] == 0 && at[0] == 39) {
      create(begun);
      await(closed);
    }
    if (at[1] == 0 && at[0] == 0) {
      await(begun);
      throw new IllegalStateException("no cell at " + Arrays.toString(at));
    }
    return 1;
  }

  private static void create(String file) {
    try {
      Files.write(Path.of(file), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(String file) {
    while (Files.notExists(Path.of(file))) {
      LockSupport.parkNanos(10_000_000);
    }
  }
}
