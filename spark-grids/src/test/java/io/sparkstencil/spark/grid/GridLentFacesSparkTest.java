/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.faces.Pushes;
import io.sparkstencil.testkit.programs.HoldingEngine;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faces are pushed from and to memory that an engine lends, as one with GPUs does. All of it goes
 * back once, and nobody writes to it then, whatever becomes of connections and executors.
 */
@Timeout(300)
final class GridLentFacesSparkTest {
  @TempDir static Path folder;
  private static GridCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    String options =
        "%s -D%s=%s -D%s=true"
            .formatted(
                Sessions.SHORT_RUN, HoldingEngine.SHARED_FOLDER, folder, HoldingEngine.LENT_FACES);
    cluster = new GridCluster(2, Map.of("spark.executor.extraJavaOptions", options));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void allMemoryHasGoneBack() throws InterruptedException {
    cluster.session().sparkContext().conf().remove(StencilOptions.GRID_LOG_BYTES.key());
    cluster.awaitEmpty();
    Collection<String> lent = Pushes.lent(cluster.spark(), 2).values();
    while (!lent.stream().allMatch(each -> each.startsWith("0 of "))) {
      Thread.sleep(50); // a connection that was cut is closed in the background
      lent = Pushes.lent(cluster.spark(), 2).values();
    }
    assertThat(lent).as("all of it by an executor").anyMatch(each -> !each.equals("0 of 0"));
  }

  @Test
  void facesGoFromLentMemoryToLentMemory() throws Exception {
    PushedGrids.pushAndTellNobody(
        cluster, 2, WholeGrid.heat(2, ElementType.F32, Boundary.WRAP), 7, true);
  }

  @Test
  void blocksThatAreLostComeBackFromFacesThatAreKeptWhereTheFieldsAre() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    Killer killer = new Killer();
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, killer)) {
      StencilGrid before = grid.step(20L * PushedGrids.STEPS);
      assertThat(before.metrics().deviceLogBytes()).isPositive();
      long pushed = before.metrics().faces().get("pushed");
      killer.killAfter(3, GridCluster.processes().get(0));

      StencilGrid after = before.step(40L * PushedGrids.STEPS);

      assertThat(after.read("u")).isEqualTo(whole.after(60L * PushedGrids.STEPS));
      assertThat(after.metrics().replayedBlocks()).as("of one executor alone").hasSizeBetween(1, 3);
      assertThat(after.metrics().faces().get("pushed")).isGreaterThan(pushed);
    }
  }

  /** The budget of block managers is that of a few states, and many are kept near the fields. */
  @Test
  void whatLostBlocksNeedComesToBlockManagersPartByPart() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    int states = 40;
    long bytesOfState = bytesOfState(whole);
    budget(12 * bytesOfState);
    Killer killer = new Killer();
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, killer)) {
      StencilGrid before = grid.step((long) states * PushedGrids.STEPS);
      assertThat(before.metrics().deviceLogBytes()).isGreaterThan(2 * (states - 4) * bytesOfState);
      long facesOfState = before.metrics().faces().get("pushed") / states / 2;
      List<String> places = before.executors();
      Set<Integer> lost =
          IntStream.range(0, places.size())
              .filter(block -> places.get(block).equals(places.get(0)))
              .boxed()
              .collect(Collectors.toSet());
      int nextId = cluster.spark().emptyRDD().id();
      long stored = stored(whole, lost, nextId);
      killer.killAfter(3, cluster.processesByLocation(places).get(places.get(0)));

      StencilGrid after = before.step(20L * PushedGrids.STEPS);

      assertThat(killer.isDone()).isTrue();
      assertThat(after.read("u")).isEqualTo(whole.after((states + 20L) * PushedGrids.STEPS));
      assertThat(after.metrics().replayedBlocks()).as("of one executor alone").hasSizeBetween(1, 3);
      assertThat(stored(whole, lost, nextId) - stored)
          .as("copies that are left, of a part of the states")
          .isLessThan(states / 2 * facesOfState);
    }
  }

  /** Returns how many faces for some blocks are stored under numbers of RDDs before one. */
  private static long stored(WholeGrid whole, Set<Integer> targets, int id) {
    List<Long> sizes = whole.extent().sizes().stream().map(Integer::longValue).toList();
    StepReach reach = StepReach.of(whole.program());
    FacePlan plan =
        FacePlan.of(
            GridBlocks.cut(sizes, 6, reach),
            reach,
            PushedGrids.STEPS,
            whole.program().fields().size(),
            whole.type());
    return cluster.storedBlocks().stream()
        .map(name -> name.split("_"))
        .filter(name -> Integer.parseInt(name[1]) < id)
        .map(name -> Integer.parseInt(name[2]) % plan.piecesPerSuperstep() / plan.firstPiece(1, 0))
        .filter(targets::contains)
        .count();
  }

  /** Returns the bytes of faces that an executor gives in a superstep. */
  private static long bytesOfState(WholeGrid whole) {
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, progress -> {})) {
      return grid.step(9L * PushedGrids.STEPS).metrics().deviceLogBytes() / 10 / 2;
    }
  }

  private static void budget(long bytes) {
    cluster
        .session()
        .sparkContext()
        .conf()
        .set(StencilOptions.GRID_LOG_BYTES.key(), Long.toString(bytes));
  }

  @Test
  void connectionsThatAreCutAndExecutorsThatAreStoppedLeaveTheBits() {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    Killer stopper = new Killer();
    try (StencilGrid grid = PushedGrids.create(cluster, whole, 6, stopper)) {
      StencilGrid before = grid.step(6L * PushedGrids.STEPS);
      long pushed = before.metrics().faces().get("pushed");
      stopper.stopAfter(20, GridCluster.processes().get(0), 2500);
      Pushes.cutFor(cluster.spark(), 2, 1000);

      StencilGrid after = before.step(60L * PushedGrids.STEPS);

      assertThat(after.read("u")).isEqualTo(whole.after(66L * PushedGrids.STEPS));
      assertThat(stopper.isDone()).isTrue();
      assertThat(after.metrics().replayedSupersteps()).isZero();
      assertThat(after.metrics().faces().get("pushed")).isGreaterThan(pushed);
    }
  }
}
