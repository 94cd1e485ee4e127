/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same on a real device. */
@RequiresGpu
class BoxStreamsGpuTest {
  private static final int HOPPER = 90;

  private static Stream<BoxChecks.Case> cases() {
    return BoxChecks.cases();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void haveTheBitsOfTheReference(BoxChecks.Case what) {
    try (PrimaryContext context = CudaDriver.get().open(0)) {
      assumeThat(context.traits().capability()).isGreaterThanOrEqualTo(HOPPER);
      assertThat(BoxChecks.faults(context, what)).isEmpty();
    }
  }
}
