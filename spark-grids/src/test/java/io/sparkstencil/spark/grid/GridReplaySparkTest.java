/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.conf.StencilOptions;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

/** Blocks of an executor that is lost come back on all that are left. */
@Timeout(300)
final class GridReplaySparkTest {
  private static final int EXECUTORS = 3;
  private static final int LOST = 4;
  private static final int BLOCKS = LOST * EXECUTORS;
  private static final int STEPS = 2;
  private static final int SUPERSTEPS = 30;
  @TempDir private Path folder;

  private static String id(String location) {
    return location.substring(location.lastIndexOf('_') + 1);
  }

  /** Without pushes a superstep would take a job each, where blocks are not together. */
  @ParameterizedTest
  @CsvSource({"true, 16m, 2", "true, 1, 2", "false, 16m, 1"})
  void lostBlocksComeBackOnAllExecutorsWhereTheyArePushedToEachOther(
      boolean pushes, String pushBytes, int heirs) throws Exception {
    Map<String, String> options =
        Map.of(
            StencilOptions.GRID_PUSH.key(),
            Boolean.toString(pushes),
            StencilOptions.GRID_PUSH_BYTES.key(),
            pushBytes);
    try (GridCluster cluster = new GridCluster(EXECUTORS, options)) {
      requireHeirs(cluster, WholeGrid.heat(Boundary.WRAP), heirs);
    }
  }

  /** Blocks give faces to others that they take none of, and are ahead of them. */
  @Test
  void oneSidedNeighboursComeBackOnAllExecutors() throws Exception {
    try (GridCluster cluster = new GridCluster(EXECUTORS)) {
      requireHeirs(cluster, WholeGrid.wind(), 2);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void lostBlocksComeBackOnAllExecutorsWhereTheyShareFaces(boolean pushes) throws Exception {
    try (SharedFacesCluster shared =
        new SharedFacesCluster(folder, EXECUTORS, false, SharedFacesCluster.AMPLE, pushes)) {
      requireHeirs(shared.cluster(), WholeGrid.heat(Boundary.REFLECT), 2);
    }
  }

  private static void requireHeirs(GridCluster cluster, WholeGrid whole, int heirs)
      throws Exception {
    ReplayTasks tasks = new ReplayTasks(LOST);
    Killer killer = new Killer();
    try (StencilGrid grid = PushedGrids.create(cluster, whole, BLOCKS, killer)) {
      StencilGrid first = grid.step((long) SUPERSTEPS * STEPS);
      List<String> places = first.executors();
      assertThat(Collections.frequency(places, places.get(0))).isEqualTo(LOST);
      cluster.spark().sc().addSparkListener(tasks);
      killer.killAfter(1, cluster.processesByLocation(places).get(places.get(0)));

      StencilGrid after = first.step(10L * STEPS);

      assertThat(killer.isDone()).isTrue();
      assertThat(after.read("u")).isEqualTo(whole.after((SUPERSTEPS + 10L) * STEPS));
      cluster.spark().sc().listenerBus().waitUntilEmpty();
      Set<String> left = places.stream().map(GridReplaySparkTest::id).collect(Collectors.toSet());
      left.remove(id(places.get(0)));
      assertThat(tasks.byExecutor().keySet())
          .as("executors with steps that are taken again")
          .hasSize(heirs)
          .isSubsetOf(left);
      assertThat(tasks.byExecutor().values().stream().distinct()).as("as many each").hasSize(1);
      assertThat(tasks.jobs()).as("for %d supersteps", SUPERSTEPS).isLessThan(SUPERSTEPS / 2);
      GridMetrics done = after.metrics();
      assertThat(done.repairs()).as("so that all went well the first time").isEqualTo(1);
      assertThat(done.replayedBlocks())
          .isEqualTo(
              IntStream.range(0, BLOCKS)
                  .filter(block -> places.get(block).equals(places.get(0)))
                  .boxed()
                  .collect(Collectors.toSet()));
    }
    cluster.awaitEmpty();
  }

  /** The blocks that it had before are lost as well, so that all but one executor are gone. */
  @Test
  void anHeirThatIsLostDuringTheReplayLeavesTheBits() throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    ReplayTasks tasks = new ReplayTasks(LOST);
    Killer killer = new Killer();
    try (GridCluster cluster = new GridCluster(EXECUTORS)) {
      try (StencilGrid grid = PushedGrids.create(cluster, whole, BLOCKS, killer)) {
        StencilGrid first = grid.step((long) SUPERSTEPS * STEPS);
        List<String> places = first.executors();
        Map<String, ProcessHandle> all = new HashMap<>(cluster.processesByLocation(places));
        killer.killAfter(1, all.remove(places.get(0)));
        ProcessHandle heir = all.values().iterator().next();
        cluster.spark().sc().addSparkListener(tasks);
        tasks.atJob(2, heir::destroyForcibly);

        StencilGrid after = first.step(10L * STEPS);

        assertThat(after.read("u")).isEqualTo(whole.after((SUPERSTEPS + 10L) * STEPS));
        assertThat(heir.isAlive()).isFalse();
        assertThat(after.metrics().replayedBlocks()).hasSizeGreaterThan(LOST);
      }
      cluster.awaitEmpty();
    }
  }

  /** Spark gives it no tasks any more, though it is there for a while. */
  @Test
  void blocksOfAnExecutorThatIsDecommissionedComeBackOnTheOthers() throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    Map<String, String> options =
        Map.of(
            "spark.decommission.enabled",
            "true",
            "spark.test.executor.decommission.initial.sleep.millis",
            "100000");
    try (GridCluster cluster = new GridCluster(EXECUTORS, options);
        StencilGrid grid = PushedGrids.create(cluster, whole, BLOCKS, progress -> {})) {
      StencilGrid first = grid.step((long) SUPERSTEPS * STEPS);
      String gone = first.executors().get(0);
      ProcessHandle process = cluster.processesByLocation(first.executors()).get(gone);
      ExecutorAllocationClient executors =
          (ExecutorAllocationClient) cluster.spark().sc().schedulerBackend();
      ExecutorDecommissionInfo why = new ExecutorDecommissionInfo("test", Option.empty());
      assertThat(executors.decommissionExecutor(id(gone), why, false, false)).isTrue();

      StencilGrid after = first.step(10L * STEPS);
      long pushed = after.metrics().faces().get("pushed");
      StencilGrid later = after.step(10L * STEPS);

      assertThat(later.read("u")).isEqualTo(whole.after((SUPERSTEPS + 20L) * STEPS));
      assertThat(process.isAlive()).as("so that no task has waited for its end").isTrue();
      assertThat(later.executors()).doesNotContain(gone);
      assertThat(later.metrics().replayedBlocks()).hasSize(LOST);
      assertThat(later.metrics().faces().get("pushed")).isGreaterThan(pushed);
    }
  }
}
