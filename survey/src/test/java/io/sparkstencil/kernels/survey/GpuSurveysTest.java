/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.gpu.GpuEngineProvider;
import io.sparkstencil.survey.Experiment;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Finding GPUs to survey, over devices made of host memory. */
final class GpuSurveysTest {
  private final CudaDriver driver = new FakeGpu().driver();

  @Test
  void experimentsAreListedWithoutADevice() {
    assertThat(new GpuSurveys().experiments())
        .extracting(Experiment::name)
        .startsWith("limits")
        .contains("coalescing", "banks", "async-copy", "l2-window", "coefficients", "texture")
        .contains("local-memory", "k-stencil", "tensor-cores", "occupancy", "concurrency")
        .doesNotHaveDuplicates();
  }

  @Test
  void aSurveyNeedsRoomForMoreThanTheCacheHolds() {
    GpuSurveys surveys = new GpuSurveys(new GpuEngineProvider(driver));

    assertThat(surveys.devices()).containsExactly("0");
    assertThatThrownBy(() -> surveys.openSurvey(Map.of()))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("3 times its second-level cache");
    assertThat(driver.liveHandles()).isEmpty();
  }
}
