/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Blocks of an executor that is killed half-way, and who brings them back. */
final class LostBlocks {
  /** As many on each of three executors. */
  static final int LOST = 4;

  private static final int BLOCKS = 3 * LOST;
  private static final int SUPERSTEPS = 30;

  /** Steps before the executor is lost. */
  static final long BEFORE = (long) SUPERSTEPS * PushedGrids.STEPS;

  /** Steps that are asked for then. */
  static final long AFTER = 10L * PushedGrids.STEPS;

  private LostBlocks() {}

  /** Returns the name of the executor at a preferred location of tasks. */
  static String id(String location) {
    return location.substring(location.lastIndexOf('_') + 1);
  }

  static StencilGrid grid(GridCluster cluster, WholeGrid whole, GridListener listener) {
    return PushedGrids.create(cluster, whole, BLOCKS, listener);
  }

  /**
   * Kills an executor, and checks that its blocks alone come back, with few jobs.
   *
   * @param shares whether blocks share their faces
   * @param heirs executors that take part
   */
  static void comeBack(GridCluster cluster, WholeGrid whole, boolean shares, int heirs)
      throws Exception {
    ReplayTasks tasks = new ReplayTasks(LOST);
    Killer killer = new Killer();
    try (StencilGrid grid = grid(cluster, whole, killer)) {
      StencilGrid first = grid.step(BEFORE);
      List<String> places = first.executors();
      assertThat(Collections.frequency(places, places.get(0))).isEqualTo(LOST);
      cluster.spark().sc().addSparkListener(tasks);
      killer.killAfter(1, cluster.processesByLocation(places).get(places.get(0)));

      StencilGrid after = first.step(AFTER);

      assertThat(killer.isDone()).isTrue();
      assertThat(after.read("u")).isEqualTo(whole.after(BEFORE + AFTER));
      cluster.spark().sc().listenerBus().waitUntilEmpty();
      Set<String> left = places.stream().map(LostBlocks::id).collect(Collectors.toSet());
      left.remove(id(places.get(0)));
      assertThat(tasks.byExecutor().keySet())
          .as("executors with steps that are taken again")
          .hasSize(heirs)
          .isSubsetOf(left);
      assertThat(tasks.byExecutor().values().stream().distinct()).as("as many each").hasSize(1);
      assertThat(tasks.jobs()).as("for %d supersteps", SUPERSTEPS).isLessThan(SUPERSTEPS / 2);
      GridMetrics done = after.metrics();
      assertThat(done.faces().containsKey("shared")).isEqualTo(shares);
      assertThat(done.repairs()).as("so that all went well the first time").isEqualTo(1);
      assertThat(done.replayedBlocks())
          .isEqualTo(
              IntStream.range(0, BLOCKS)
                  .filter(block -> places.get(block).equals(places.get(0)))
                  .boxed()
                  .collect(Collectors.toSet()));
    } finally {
      cluster.spark().sc().removeSparkListener(tasks);
    }
    cluster.awaitEmpty();
  }
}
