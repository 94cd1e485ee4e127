/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.model.Accuracy;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Warps that share their instructions compute the right cells, on an emulated device. */
final class SharedInstructionsEmulatedTest {
  /** Those with more steps take seconds. */
  private static final int MOST_STEPS = 8;

  private static Stream<FusedCase> cases() {
    return SharedInstructions.cases()
        .filter(what -> ExhaustiveRun.isAsked() || what.program().accuracy() == Accuracy.FMA);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void equalTheReference(FusedCase what) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (PrimaryContext context = gpu.driver().open(0)) {
      int most = ExhaustiveRun.isAsked() ? Integer.MAX_VALUE : MOST_STEPS;
      assertThat(SharedInstructions.faults(context, what, most, 1)).isEmpty();
    }
  }
}
