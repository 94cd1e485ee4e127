/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.StencilException;
import jcuda.driver.CUresult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TunerTest {
  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();

  @ParameterizedTest
  @ValueSource(strings = {"eventCreate", "memAlloc", "memsetD8Async", "streamSynchronize"})
  void aTunerThatCannotBeMadeKeepsNothing(String call) {
    try (PrimaryContext context = driver.open(0)) {
      int successes = call.equals("streamSynchronize") ? 0 : 1;
      gpu.failAfter(call, successes, CUresult.CUDA_ERROR_INVALID_VALUE);
      assertThatThrownBy(() -> new Tuner(context, 1000, 8, 9, 7))
          .isInstanceOf(StencilException.class);
      assertThat(driver.liveHandles()).isEmpty();
    }
  }
}
