/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels of several steps alone, on an emulated device, against the scalar reference: those that
 * are chosen first, on arrays of several tiles and segments.
 */
final class FusedKernelsEmulatedTest {
  /** Fewer than devices have, so that small arrays are divided in segments, too. */
  private static final int MULTIPROCESSORS = 2;

  private static Stream<FusedCase> cases() {
    return Stream.of(1, 2, 3)
        .flatMap(dimensions -> FusedCase.of(dimensions).stream())
        .filter(
            what ->
                what.type() == ElementType.F32 == (what.program().accuracy() == Accuracy.EXACT));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void equalsTheReference(FusedCase what) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (PrimaryContext context = gpu.driver().open(0)) {
      FusedKernel kernel = FusedKernelsGpuTest.kernels(what).get(0);
      List<Integer> sizes = FusedKernelsGpuTest.sizes(what, kernel).get(1);
      FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
      assertThat(check.fault(what, kernel, sizes)).isEmpty();
    }
  }
}
