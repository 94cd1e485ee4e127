/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.testkit.FaultPlan;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Second attempts of slow tasks, over an engine with a device. */
class SpeculationSparkTest {
  @TempDir Path folder;

  @Test
  @Timeout(180)
  void theAttemptThatLosesGivesEverythingBack() throws Exception {
    Speculation.run(folder, "-D%s=none".formatted(FaultPlan.PROPERTY));
  }
}
