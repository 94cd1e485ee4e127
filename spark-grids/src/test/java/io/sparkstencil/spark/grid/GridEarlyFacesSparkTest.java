/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Executors with two cores: one takes faces of others while the other one steps. */
@Timeout(300)
final class GridEarlyFacesSparkTest {
  @Test
  void facesOfOthersAreTakenWhileNeighboursStep() throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    try (GridCluster cluster = new GridCluster("local-cluster[2,2,512]", 2, Map.of())) {
      cluster.executors(); // so that all are there
      cluster.localityWait("300s"); // or a busy machine moves blocks
      try (StencilGrid grid =
          whole
              .slowBuilder(cluster.session(), 5)
              .blocks(6)
              .stepsPerExchange(PushedGrids.STEPS)
              .create()) {
        StencilGrid after = grid.step(60L * PushedGrids.STEPS);

        assertThat(after.read("u")).isEqualTo(whole.after(60L * PushedGrids.STEPS));
        assertThat(after.metrics().replayedSupersteps()).isZero();
        GridMetrics.Times times = after.metrics().times();
        assertThat(times.early())
            .as("of those that were pushed")
            .isBetween(1L, after.metrics().faces().get("pushed"));
        assertThat(times.text()).contains(times.early() + " faces came early");
      }
      cluster.awaitEmpty();
    }
  }
}
