/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.testkit.programs.FaceFaults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors of one host read each other's faces where an engine shares them, here in files, and
 * keep them there for blocks that are lost.
 */
@Timeout(300)
final class GridSharedFacesSparkTest {
  @TempDir private static Path folder;
  private static SharedFacesCluster shared;

  @BeforeAll
  static void start() throws IOException {
    shared = new SharedFacesCluster(folder, 2, true);
  }

  @AfterAll
  static void stop() {
    shared.close();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    shared.faults(FaceFaults.NONE);
    shared.cluster().awaitEmpty();
  }

  @ParameterizedTest
  @CsvSource({"7, 3, wrap", "6, 2, reflect"})
  void facesStayWhereTheyAreAndBringLostBlocksBack(int blocks, int steps, String boundary)
      throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.parse(boundary));
    Killer killer = new Killer();
    GridCluster cluster = shared.cluster();
    cluster.localityWait("300s"); // or a busy machine moves blocks, and others with them
    try (StencilGrid grid = shared.grid(whole, blocks, steps, killer)) {
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

  /** Blocks give faces to others of which they take none. */
  @Test
  void facesOfOneSideBringLostBlocksBack() throws Exception {
    shared.cluster().localityWait("3s");
    shared.theBitsAreThoseOfTheWholeGrid(WholeGrid.wind());
  }

  /**
   * Faces come from the log of the block managers where those that are shared are lost or
   * overwritten, or where there is no room to keep them. Without room they are copied meanwhile.
   */
  @ParameterizedTest
  @CsvSource({"true, 9223372036854775807", "false, 0"})
  void facesComeFromTheLogWhereSharedOnesAreNotThere(boolean faulty, long keptBytes)
      throws Exception {
    shared.cluster().localityWait("3s");
    shared.faults(new FaceFaults(faulty, keptBytes));
    shared.theBitsAreThoseOfTheWholeGrid(WholeGrid.heat(Boundary.REFLECT));
  }
}
