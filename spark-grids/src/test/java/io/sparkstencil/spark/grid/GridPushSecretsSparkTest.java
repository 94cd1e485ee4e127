/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.model.Boundary;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faces are pushed with the authentication and encryption that Spark is told to use. */
@Timeout(300)
final class GridPushSecretsSparkTest {
  @Test
  void facesAreEncryptedWhereSparkEncrypts() throws Exception {
    Map<String, String> secrets =
        Map.of(
            "spark.authenticate",
            "true",
            "spark.authenticate.secret",
            "none that matters",
            "spark.network.crypto.enabled",
            "true");
    try (GridCluster cluster = new GridCluster(2, secrets)) {
      PushedGrids.pushAndTellNobody(cluster, 2, WholeGrid.heat(Boundary.REFLECT), 6, false);
    }
  }
}
