/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.FaultPlan;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors with a device among executors without one. */
class MixedClusterSparkTest {
  private static final int SERIES = 16;

  @TempDir Path folder;

  @Test
  @Timeout(150)
  void eachUsesWhatItHasWithTheSameBitsAndSaysWhyOnce() throws Exception {
    String options =
        "-D%s=none -D%s=%s -Dlog4j2.configurationFile=file:%s/conf/log4j2-cluster.properties"
            .formatted(
                FaultPlan.PROPERTY,
                FaultPlan.ONLY_PROPERTY,
                folder.resolve("device"),
                System.getProperty("stencil.home"));
    try (LocalCluster cluster = new LocalCluster(1, options)) {
      Map<String, Set<String>> engines = StencilWork.engines(cluster.spark(), SERIES, 8);
      assertThat(engines.values()).containsExactlyInAnyOrder(Set.of("faulty"), Set.of("cpu"));
      assertThat(StencilWork.run(cluster.spark(), SERIES, 8))
          .isEqualTo(StencilWork.expected(SERIES));
      assertThat(
              cluster.logged().stream()
                  .filter(line -> line.contains("engine faulty is not used here"))
                  .collect(Collectors.toList()))
          .singleElement()
          .asString()
          .contains("no test has enabled it");
    }
  }
}
