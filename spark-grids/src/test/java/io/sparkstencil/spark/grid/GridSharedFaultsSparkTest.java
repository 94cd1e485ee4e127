/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.model.Boundary;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors of one host take faces from the log of the block managers where those that they share
 * are lost or overwritten, or where there was no room to keep them.
 */
@Timeout(300)
final class GridSharedFaultsSparkTest {
  @TempDir private Path folder;

  /** Without room faces are copied meanwhile. */
  @ParameterizedTest
  @CsvSource({"true, -1, true", "false, 0, true", "false, 40000, false"})
  void theBitsAreThoseOfTheWholeGrid(boolean faults, long keptBytes, boolean pushes)
      throws Exception {
    long kept = keptBytes < 0 ? SharedFacesCluster.AMPLE : keptBytes;
    try (SharedFacesCluster cluster = new SharedFacesCluster(folder, faults, kept, pushes)) {
      cluster.theBitsAreThoseOfTheWholeGrid(WholeGrid.heat(Boundary.REFLECT));
    }
  }
}
