/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.conf.StencilOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/**
 * Blocks of an executor that is lost come back on all that are left. Spark starts another in its
 * place for the next test.
 */
@Timeout(300)
final class GridReplaySparkTest {
  private static final int EXECUTORS = 3;
  private static final Map<String, String> DECOMMISSION =
      Map.of(
          "spark.decommission.enabled",
          "true",
          "spark.test.executor.decommission.initial.sleep.millis",
          "100000");

  @TempDir private static Path folder;
  private static GridCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = SharedFacesCluster.start(folder, EXECUTORS, DECOMMISSION);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void shareNoFaces() {
    cluster.session().conf().set(StencilOptions.ENGINE.key(), Engines.CPU);
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    cluster.awaitEmpty();
  }

  @Test
  void lostBlocksComeBackOnAllExecutorsThatPushToEachOther() throws Exception {
    LostBlocks.comeBack(cluster, WholeGrid.heat(Boundary.WRAP), false, 2);
  }

  /** Blocks give faces to others that they take none of, and are ahead of them. */
  @Test
  void oneSidedNeighboursComeBackOnAllExecutors() throws Exception {
    LostBlocks.comeBack(cluster, WholeGrid.wind(), false, 2);
  }

  @Test
  void lostBlocksComeBackOnAllExecutorsWhereTheyShareFaces() throws Exception {
    cluster.session().conf().set(StencilOptions.ENGINE.key(), Engines.AUTO);
    LostBlocks.comeBack(cluster, WholeGrid.heat(Boundary.REFLECT), true, 2);
  }

  /** The blocks that it had before are lost as well, so that all but one executor are gone. */
  @Test
  void anHeirThatIsLostDuringTheReplayLeavesTheBits() throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    ReplayTasks tasks = new ReplayTasks(LostBlocks.LOST);
    Killer killer = new Killer();
    try (StencilGrid grid = LostBlocks.grid(cluster, whole, killer)) {
      StencilGrid first = grid.step(LostBlocks.BEFORE);
      List<String> places = first.executors();
      Map<String, ProcessHandle> all = new HashMap<>(cluster.processesByLocation(places));
      killer.killAfter(1, all.remove(places.get(0)));
      ProcessHandle heir = all.values().iterator().next();
      cluster.spark().sc().addSparkListener(tasks);
      tasks.atJob(1, heir::destroyForcibly);

      StencilGrid next = first.step(LostBlocks.AFTER);
      // Fast executors have taken all steps when the first is lost: then reading has them again.
      assertThat(next.read("u")).isEqualTo(whole.after(LostBlocks.BEFORE + LostBlocks.AFTER));
      assertThat(heir.onExit()).succeedsWithin(Duration.ofSeconds(60));
      StencilGrid after = next.step(LostBlocks.AFTER);

      assertThat(after.read("u")).isEqualTo(whole.after(LostBlocks.BEFORE + 2 * LostBlocks.AFTER));
      assertThat(after.metrics().replayedBlocks()).hasSizeGreaterThan(LostBlocks.LOST);
    } finally {
      cluster.spark().sc().removeSparkListener(tasks);
    }
  }

  /** Spark gives it no tasks any more, though it is there for a while. */
  @Test
  void blocksOfAnExecutorThatIsDecommissionedComeBackOnTheOthers() {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    try (StencilGrid grid = LostBlocks.grid(cluster, whole, progress -> {})) {
      StencilGrid first = grid.step(LostBlocks.BEFORE);
      String gone = first.executors().get(0);
      ProcessHandle process = cluster.processesByLocation(first.executors()).get(gone);
      ExecutorAllocationClient executors =
          (ExecutorAllocationClient) cluster.spark().sc().schedulerBackend();
      ExecutorDecommissionInfo why = new ExecutorDecommissionInfo("test", Option.empty());
      assertThat(executors.decommissionExecutor(LostBlocks.id(gone), why, false, false)).isTrue();

      StencilGrid after = first.step(LostBlocks.AFTER);
      long pushed = after.metrics().faces().get("pushed");
      StencilGrid later = after.step(LostBlocks.AFTER);

      assertThat(later.read("u")).isEqualTo(whole.after(LostBlocks.BEFORE + 2 * LostBlocks.AFTER));
      assertThat(process.isAlive()).as("so that no task has waited for its end").isTrue();
      assertThat(later.executors()).doesNotContain(gone);
      assertThat(later.metrics().replayedBlocks()).hasSize(LostBlocks.LOST);
      assertThat(later.metrics().faces().get("pushed")).isGreaterThan(pushed);
      process.destroyForcibly(); // or it is there for the next test, and takes no tasks
    }
  }
}
