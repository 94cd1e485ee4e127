/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.testkit.programs.FaceFaults;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of an executor that is lost come back where faces are not pushed, or few of them. */
@Timeout(300)
final class GridReplayWaysSparkTest {
  private static final int EXECUTORS = 3;
  @TempDir private Path folder;

  @Test
  void lostBlocksComeBackOnAllExecutorsWithoutRoomForWhatIsPushed() throws Exception {
    Map<String, String> noRoom = Map.of(StencilOptions.GRID_PUSH_BYTES.key(), "1");
    try (GridCluster cluster = new GridCluster(EXECUTORS, noRoom)) {
      LostBlocks.comeBack(cluster, WholeGrid.heat(Boundary.WRAP), false, 2);
    }
  }

  /** On one executor where faces are not shared: on two, each superstep would take a job. */
  @Test
  void lostBlocksComeBackWithoutPushesWhereFacesAreSharedAndWhereNot() throws Exception {
    try (SharedFacesCluster shared = new SharedFacesCluster(folder, EXECUTORS, false)) {
      GridCluster cluster = shared.cluster();
      LostBlocks.comeBack(cluster, WholeGrid.heat(Boundary.REFLECT), true, 2);
      shared.faults(new FaceFaults(false, 4_000)); // room for few faces
      shared.theBitsAreThoseOfTheWholeGrid(WholeGrid.heat(Boundary.REFLECT));
      cluster.session().conf().set(StencilOptions.ENGINE.key(), Engines.CPU);
      LostBlocks.comeBack(cluster, WholeGrid.heat(Boundary.WRAP), false, 1);
    }
  }
}
