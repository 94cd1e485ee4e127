/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.util.Optional;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MatrixTrialTest {
  private final FakeGpu gpu = new FakeGpu();

  private Optional<String> reason(MatrixShape shape) {
    CudaDriver driver = gpu.driver();
    try (PrimaryContext context = driver.open(0)) {
      Optional<String> reason = MatrixTrial.reasonAgainst(context, shape);
      assertThat(gpu.calls("memFree")).isEqualTo(gpu.calls("memAlloc"));
      return reason;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTextMultipliesMatricesAsTheTrialCompares(MatrixShape shape) {
    gpu.emulate();
    assertThat(reason(shape)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheBitsOfAChainInOrderPass(OtherSums sums) {
    for (MatrixShape shape : MatrixShape.values()) {
      sums.on(gpu, shape);
      Optional<String> reason = reason(shape);
      if (sums == OtherSums.CHAIN) {
        assertThat(reason).isEmpty();
      } else {
        assertThat(reason.orElse(""))
            .matches(
                "\\d+ of %d results of %s differ.*"
                    .formatted(MatrixTrial.results(shape), shape.label()));
      }
    }
  }

  @Test
  void aDeviceThatWritesNothingDoesNotPass() {
    assertThat(reason(MatrixShape.SIXTEEN_ROWS)).isPresent();
  }

  @Test
  void aDriverThatRefusesTheInstructionDoesNotPass() {
    gpu.fail("moduleLoad", CUresult.CUDA_ERROR_INVALID_PTX);
    assertThat(reason(MatrixShape.EIGHT_ROWS).orElse("")).contains("the driver refuses m8n8k4");
  }
}
