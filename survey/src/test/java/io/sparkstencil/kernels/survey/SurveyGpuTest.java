/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.kernels.survey.bench.Effort;
import io.sparkstencil.kernels.tuning.ProfileStore;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.testkit.RequiresGpu;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole survey on a device, with few and small measurements. */
@RequiresGpu
class SurveyGpuTest {
  private static final Effort QUICK =
      new Effort(256 << 20, 3, 2, 64, Integer.MAX_VALUE, 4, 4 << 20);

  @Test
  void everyExperimentHasChartsAndPositiveFigures(@TempDir Path folder) {
    CudaDriver driver = CudaDriver.get();
    CudaDevice device = driver.devices().get(0);
    int before = driver.liveHandles().size();
    try (SurveyRunner survey =
        new SurveyRunner(driver, device, Optional.empty(), context -> QUICK)) {
      // a tool that checks memory slows it down
      assertThat(survey.device().clockMegahertz()).isBetween(1.0, 4000.0);
      for (Experiment experiment : SurveyRunner.experiments()) {
        Finding finding = survey.run(experiment);
        EmulatedSurveyTest.requireWhole(finding);
        assertThat(finding.charts()).as(experiment.name()).isNotEmpty();
        assertThat(finding.seconds()).isPositive();
      }
      assertThat(survey.keepProfile(Optional.of(folder))).isPresent();
      assertThat(new ProfileStore(folder, device).profile()).isPresent();
    }
    assertThat(driver.liveHandles()).hasSize(before);
  }

  /** So every schedule that was measured on such a device stays as it is. */
  @Test
  void theProfileOfAnH200MovesNoThreshold(@TempDir Path folder) {
    CudaDriver driver = CudaDriver.get();
    CudaDevice device = driver.devices().get(0);
    assumeTrue(device.name().contains("H200"), "skipped: this device is no H200");
    try (SurveyRunner survey = new SurveyRunner(driver, device, Optional.of(folder))) {
      survey.keepProfile(Optional.empty());
    }
    DeviceProfile profile = new ProfileStore(folder, device).profile().orElseThrow();
    assertThat(profile.computeRatio()).as("%s", profile).isEqualTo(1);
    assertThat(profile.cacheRatio()).as("%s", profile).isEqualTo(1);
    assertThat(profile.losesByAsyncCopies()).as("%s", profile).isFalse();
  }
}
