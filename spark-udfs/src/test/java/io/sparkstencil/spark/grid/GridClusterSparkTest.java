/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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
@Timeout(180)
final class GridClusterSparkTest {
  private static final int EXECUTORS = 3;
  private static final int SUPERSTEPS = 40;
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
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    cluster.awaitEmpty();
  }

  static LongStream seeds() {
    return Boolean.getBoolean("sparkstencil.test.exhaustive")
        ? LongStream.range(0, 20)
        : LongStream.of(3, 12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void twoKillsAtRandomMomentsLeaveTheBits(long seed) throws Exception {
    Random random = new Random(seed);
    cluster.localityWait(random.nextBoolean() ? "3s" : "0s");
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
      assertThat(after.metrics().replayedBlocks())
          .containsAll(lost)
          .as("those of the killed executor, and those that Spark has moved since")
          .allMatch(block -> lost.contains(block) || !now.get(block).equals(places.get(block)));
    }
  }

  @Test
  void blocksThatRunElsewhereAreRightAndLeaveNoCopies() throws Exception {
    cluster.localityWait("0s");
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    Path taken = folder.resolve("taken");
    Path free = folder.resolve("free");
    try (StencilGrid grid =
        whole.builder(cluster.session()).blocks(6).stepsPerExchange(1).create()) {
      StencilGrid before = grid.step(4);
      assertThat(Set.copyOf(before.executors())).as("executors with blocks").hasSize(EXECUTORS);
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(() -> occupy(taken.toString(), free.toString()));
      await(taken.toString());

      StencilGrid after = before.step(4); // on the executors that are left
      Files.createFile(free);
      other.get();

      assertThat(after.read("u")).isEqualTo(whole.after(8));
      assertThat(after.metrics().replayedSupersteps()).as("blocks have moved").isPositive();
      while (cluster.heldBlocks() > 6) {
        Thread.sleep(20); // copies that blocks have left behind are dropped soon
      }
      assertThat(after.read("u")).isEqualTo(whole.after(8));
    }
  }

  /** Keeps the only core of an executor busy from when one file is there until another one is. */
  private static void occupy(String taken, String free) {
    cluster
        .spark()
        .parallelize(List.of(0), 1)
        .foreach(
            any -> {
              Files.createFile(Path.of(taken));
              await(free);
            });
  }

  private static void await(String file) throws InterruptedException {
    while (Files.notExists(Path.of(file))) {
      Thread.sleep(20);
    }
  }
}
