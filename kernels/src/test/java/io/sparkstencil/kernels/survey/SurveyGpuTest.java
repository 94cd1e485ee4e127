/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.kernels.survey.bench.Effort;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.testkit.RequiresGpu;
import org.junit.jupiter.api.Test;

/** The whole survey on a device, with few and small measurements. */
@RequiresGpu
class SurveyGpuTest {
  private static final Effort QUICK =
      new Effort(256 << 20, 3, 2, 64, Integer.MAX_VALUE, 4, 4 << 20);

  @Test
  void everyExperimentHasChartsAndPositiveFigures() {
    CudaDriver driver = CudaDriver.get();
    CudaDevice device = driver.devices().get(0);
    int before = driver.liveHandles().size();
    try (SurveyRunner survey = new SurveyRunner(driver, device, context -> QUICK)) {
      assertThat(survey.device().clockMegahertz()).isBetween(100.0, 4000.0);
      for (Experiment experiment : SurveyRunner.experiments()) {
        Finding finding = survey.run(experiment);
        EmulatedSurveyTest.requireWhole(finding);
        assertThat(finding.charts()).as(experiment.name()).isNotEmpty();
        assertThat(finding.seconds()).isPositive();
      }
    }
    assertThat(driver.liveHandles()).hasSize(before);
  }
}
