/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.RequiresGpu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong on a real GPU with executors in processes of their own. */
@RequiresGpu
@Timeout(150)
class ClusterGpuTest {
  private static final int SERIES = 64;
  private static final List<Integer> EXPECTED = StencilWork.expected(SERIES);

  @TempDir Path folder;

  private static LocalCluster cluster(String... settings) throws IOException {
    String[] all = new String[settings.length + 2];
    all[0] = "spark.stencil.engine";
    all[1] = "gpu";
    System.arraycopy(settings, 0, all, 2, settings.length);
    return new LocalCluster(2, "-Dio.sparkstencil.test=gpu", all);
  }

  @Test
  void anIllegalAddressEndsTheExecutorAndAnotherOneFinishesTheJob() throws Exception {
    String once = folder.resolve("struck").toString();
    try (LocalCluster cluster = cluster()) {
      List<Integer> results =
          StencilWork.run(
              cluster.spark(),
              SERIES,
              8,
              number -> {
                if (number == 20 && Speculation.isFirst(once)) {
                  IllegalAddress.strike();
                }
                return number;
              });
      assertThat(results).isEqualTo(EXPECTED);
      assertThat(folder.resolve("struck")).exists();
      assertThat(cluster.removed())
          .singleElement()
          .asString()
          .contains("code " + RuntimeSetup.DEVICE_LOST_CODE);
      cluster.awaitExecutors();
      assertThat(StencilWork.engines(cluster.spark(), SERIES, 8).values())
          .allSatisfy(engines -> assertThat(engines).containsExactly("gpu"));
    }
  }

  @Test
  void anExecutorThatIsKilledInTheMiddleIsReplaced() throws Exception {
    String once = folder.resolve("killed").toString();
    try (LocalCluster cluster = cluster()) {
      List<Integer> results =
          StencilWork.run(
              cluster.spark(),
              SERIES,
              8,
              number -> {
                if (number == 20 && Speculation.isFirst(once)) {
                  Runtime.getRuntime().halt(137); // while batches of all its tasks are underway
                }
                return number;
              });
      assertThat(results).isEqualTo(EXPECTED);
      assertThat(cluster.removed()).singleElement().asString().contains("code 137");
    }
  }

  @Test
  void speculativeDuplicatesGiveEverythingBack() throws Exception {
    Speculation.run(folder, "", "spark.stencil.engine", "gpu");
  }
}
