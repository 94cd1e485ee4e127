/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.FaultPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor that loses its device ends, is replaced, and the job is right. */
class DeviceLostClusterSparkTest {
  private static final int SERIES = 16;

  @TempDir Path folder;

  private LocalCluster cluster(String faults, String... settings) throws IOException {
    return new LocalCluster(
        1,
        "-D%s=%s -D%s=%s"
            .formatted(
                FaultPlan.PROPERTY, faults, FaultPlan.ONCE_PROPERTY, folder.resolve("struck")),
        settings);
  }

  @Test
  @Timeout(150)
  void theExecutorExitsWithItsCodeAndAnotherOneFinishesTheJob() throws Exception {
    try (LocalCluster cluster = cluster("AWAIT:DEVICE_LOST:3:1")) {
      assertThat(StencilWork.run(cluster.spark(), SERIES, 8))
          .isEqualTo(StencilWork.expected(SERIES));
      assertThat(folder.resolve("struck")).exists();
      assertThat(cluster.removed())
          .singleElement()
          .asString()
          .contains("code " + RuntimeSetup.DEVICE_LOST_CODE);
      cluster.awaitExecutors();
      assertThat(StencilWork.run(cluster.spark(), SERIES, 8))
          .isEqualTo(StencilWork.expected(SERIES));
      assertThat(cluster.removed()).hasSize(1);
    }
  }

  @Test
  @Timeout(150)
  void theExecutorStaysWhereThatIsWanted() throws Exception {
    try (LocalCluster cluster =
        cluster("AWAIT:DEVICE_LOST:3:1", "spark.stencil.gpu.onDeviceLost", "cpu")) {
      List<Integer> results = StencilWork.run(cluster.spark(), SERIES, 8);
      assertThat(results).isEqualTo(StencilWork.expected(SERIES));
      assertThat(folder.resolve("struck")).exists();
      assertThat(cluster.removed()).isEmpty();
    }
  }
}
