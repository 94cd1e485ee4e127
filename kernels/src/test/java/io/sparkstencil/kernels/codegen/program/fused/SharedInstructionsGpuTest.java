/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Warps that share their instructions compute the right cells, on a real device. */
@RequiresGpu
final class SharedInstructionsGpuTest {
  private static final int RULES = 4;

  private static Stream<FusedCase> cases() {
    return SharedInstructions.cases();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void equalTheReference(FusedCase what) {
    try (PrimaryContext context = CudaDriver.get().open(0)) {
      assertThat(SharedInstructions.faults(context, what, Integer.MAX_VALUE, RULES)).isEmpty();
    }
  }
}
