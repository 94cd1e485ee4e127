/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.faces.Pushes;
import java.util.List;
import java.util.Map;

/** Grids whose faces are pushed, as is checked. */
final class PushedGrids {
  static final int STEPS = 2;

  private PushedGrids() {}

  static StencilGrid create(
      GridCluster cluster, WholeGrid whole, int blocks, GridListener listener) {
    cluster.executors(); // so that all are there
    cluster.localityWait("300s"); // or a busy machine moves blocks, and others with them
    return whole
        .builder(cluster.session())
        .blocks(blocks)
        .stepsPerExchange(STEPS)
        .listener(listener)
        .create();
  }

  /** Some faces may have been taken, and not be answered yet. */
  private static void requireTimes(GridMetrics.Times times, long pushed) {
    assertThat(times.pushed()).isBetween(pushed / 2, 2 * pushed);
    assertThat(times.pushes()).isPositive();
    assertThat(times.outside()).isPositive().isLessThan(times.jobs());
    assertThat(List.of(times.steps(), times.gives(), times.takes()))
        .allMatch(seconds -> seconds > 0);
    assertThat(times.waits()).isNotNegative();
    assertThat(times.text()).contains(times.pushed() + " faces pushed, each there after ");
  }

  static void pushAndTellNobody(
      GridCluster cluster, int executors, WholeGrid whole, int blocks, boolean keeps)
      throws Exception {
    try (StencilGrid grid = create(cluster, whole, blocks, progress -> {})) {
      StencilGrid before = grid.step(8L * STEPS);
      Map<String, Long> early = before.metrics().faces();
      GridMetrics.Times earlyTimes = before.metrics().times();
      int told = cluster.toldBlocks().size();
      int stored = cluster.storedBlocks().size();

      StencilGrid after = before.step(40L * STEPS);

      assertThat(after.read("u")).isEqualTo(whole.after(48L * STEPS));
      Map<String, Long> ways = after.metrics().faces();
      long pushed = ways.get("pushed") - early.getOrDefault("pushed", 0L);
      assertThat(pushed)
          .as("all that leave an executor, in 40 supersteps")
          .isPositive()
          .matches(count -> count % 40 == 0);
      assertThat(ways.get("log")).as("of coefficients and of the beginning").isPositive();
      assertThat(ways.get("log")).isEqualTo(early.get("log"));
      assertThat(cluster.toldBlocks()).as("that the driver knows of").hasSize(told);
      assertThat(cluster.storedBlocks())
          .as("all are logged, or kept elsewhere")
          .hasSize(stored + (keeps ? 0 : (int) pushed));
      assertThat(after.metrics().deviceLogBytes() > 0).isEqualTo(keeps);
      assertThat(after.metrics().replayedSupersteps()).isZero();
      requireTimes(after.metrics().times().since(earlyTimes), pushed);
      assertThat(after.explain()).contains("time: " + after.metrics().times().text());
      assertThat(after.explain()).contains("faces that have come by each way: " + ways);
    }
    cluster.awaitEmpty();
    assertThat(Pushes.left(cluster.spark(), executors).values()).containsOnly("0 runs, 0 bytes");
  }
}
