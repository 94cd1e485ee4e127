/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.testkit.programs.HoldingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors of one host read each other's faces where an engine shares them, here in files, and
 * keep them there for blocks that are lost. They take them from the log of the block managers where
 * they are lost or overwritten, or where there was no room to keep them.
 */
@Timeout(300)
final class GridSharedFacesSparkTest {
  private static final long AMPLE = Long.MAX_VALUE;
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"7, 3, wrap", "6, 2, reflect"})
  void facesStayWhereTheyAreAndBringLostBlocksBack(int blocks, int steps, String boundary)
      throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.parse(boundary));
    Killer killer = new Killer();
    try (GridCluster cluster = cluster(false, AMPLE, true);
        StencilGrid grid = grid(cluster, whole, blocks, steps, killer)) {
      cluster.localityWait("300s"); // or a busy machine moves blocks, and others with them
      StencilGrid before = grid.step(4L * steps);
      GridMetrics early = before.metrics();
      StencilGrid first = before.step(30L * steps);

      assertThat(first.read("u")).isEqualTo(whole.after(34L * steps));
      assertThat(first.metrics().engines()).containsExactly("holding");
      assertThat(first.metrics().replayedSupersteps()).isZero();
      Map<String, Long> ways = first.metrics().faces();
      assertThat(ways.get("heap")).as("inside an executor").isPositive();
      assertThat(ways.get("log"))
          .as("of coefficients, and before all were known to read")
          .isEqualTo(early.faces().get("log"));
      assertThat(first.explain()).contains("faces that have come by each way: " + ways);
      assertThat(first.metrics().logBytes())
          .as("bytes of the host, once all are known to read what is shared")
          .isEqualTo(early.logBytes());
      assertThat(first.metrics().deviceLogBytes())
          .isGreaterThan(early.deviceLogBytes())
          .isPositive();
      List<String> places = first.executors();
      ProcessHandle victim = cluster.processesByLocation(places).get(places.get(0));
      killer.killAfter(3, victim);

      StencilGrid after = first.step(30L * steps);

      assertThat(after.read("u")).isEqualTo(whole.after(64L * steps));
      assertThat(victim.isAlive()).isFalse();
      List<String> now = after.executors();
      assertThat(after.metrics().replays().keySet())
          .as("those of the executor that was killed, but for those that have moved since")
          .isNotEmpty()
          .allMatch(
              block ->
                  places.get(block).equals(places.get(0))
                      || !now.get(block).equals(places.get(block)));
      assertThat(after.metrics().faces().get("shared")).isGreaterThan(ways.get("shared"));
    }
  }

  /** Without room faces are copied meanwhile; what is too late is given up, and the bits stay. */
  @ParameterizedTest
  @CsvSource({
    "true, -1, false, true",
    "false, 0, false, true",
    "false, 40000, false, false",
    "false, -1, true, true"
  })
  void theBitsAreThoseOfTheWholeGrid(boolean faults, long keptBytes, boolean wind, boolean pushes)
      throws Exception {
    WholeGrid whole = wind ? WholeGrid.wind() : WholeGrid.heat(Boundary.REFLECT);
    Killer killer = new Killer();
    int steps = 2;
    Path faces = folder.resolve("faces");
    try (GridCluster cluster = cluster(faults, keptBytes < 0 ? AMPLE : keptBytes, pushes)) {
      try (StencilGrid grid = grid(cluster, whole, 6, steps, killer)) {
        StencilGrid first = grid.step(20L * steps);
        assertThat(first.read("u")).isEqualTo(whole.after(20L * steps));
        assertThat(first.metrics().replayedSupersteps()).isZero();
        assertThat(first.metrics().faces().get("shared")).isPositive();
        assertThat(first.metrics().faces().containsKey("pushed") && !pushes)
            .as("pushed though that is switched off")
            .isFalse();
        killer.killAfter(3, GridCluster.processes().get(0));

        StencilGrid after = first.step(20L * steps);

        assertThat(after.read("u")).isEqualTo(whole.after(40L * steps));
        assertThat(after.metrics().replayedSupersteps()).isPositive();
      }
      cluster.awaitEmpty();
      assertThat(names(faces))
          .as("but for those of the process that was killed")
          .hasSizeLessThan(6 * 6 * 40);
    }
  }

  private static StencilGrid grid(
      GridCluster cluster, WholeGrid whole, int blocks, int steps, GridListener listener)
      throws IOException {
    cluster.executors(); // so that both are there
    return whole
        .builder(cluster.session())
        .blocks(blocks)
        .stepsPerExchange(steps)
        .listener(listener)
        .create();
  }

  private GridCluster cluster(boolean faults, long keptBytes, boolean pushes) throws IOException {
    String options =
        "%s -D%s=%s -D%s=%s -D%s=%d"
            .formatted(
                Sessions.SHORT_RUN,
                HoldingEngine.SHARED_FOLDER,
                Files.createDirectory(folder.resolve("faces")),
                HoldingEngine.SHARED_FAULTS,
                faults,
                HoldingEngine.KEPT_BYTES,
                keptBytes);
    return new GridCluster(
        2,
        Map.of(
            "spark.executor.extraJavaOptions",
            options,
            StencilOptions.GRID_PUSH.key(),
            Boolean.toString(pushes)));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(Path::toString).toList();
    }
  }
}
