/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Boxes on tensor cores, on an emulated device that sees races and cells that nobody wrote. */
class BoxStreamsEmulatedTest {
  private static Stream<BoxChecks.Case> cases() {
    return BoxChecks.cases();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void haveTheBitsOfTheReference(BoxChecks.Case what) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (PrimaryContext context = gpu.driver().open(0)) {
      assertThat(BoxChecks.faults(context, what)).isEmpty();
    }
  }
}
