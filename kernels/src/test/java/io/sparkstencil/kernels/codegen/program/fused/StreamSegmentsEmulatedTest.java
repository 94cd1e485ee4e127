/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks of long and of short segments have all results between them, on an emulated device. */
class StreamSegmentsEmulatedTest {
  private static final String FIVE =
      "u' = 0.2*u + 0.3*u[-1,0] + 0.1*u[1,0] + 0.25*u[0,-1] + 0.15*u[0,1]";

  /** Blocks at the same time: two tiles leave one of three places free. */
  private static final int RESIDENT = 3;

  /** Steps at once of the smallest kernel whose warps share their instructions. */
  private static final int STEPS = 8;

  private static final int SHARING_THREADS = 256;

  @Test
  void haveAllResults() {
    StencilProgram program =
        BoundaryText.apply(ProgramText.parse(FIVE), "reflect").withAccuracy(Accuracy.FMA);
    FusedCase what = new FusedCase(FIVE, program, ElementType.F64);
    List<Integer> sizes = List.of(503, 700);
    FusedKernel.Layout layout = FusedCheck.layout(what.type(), sizes);
    FusedKernel kernel =
        RowStreams.fastestFirst(ProgramTraits.of(program), what.type(), layout, DeviceTraits.H200)
            .stream()
            .filter(one -> one.steps() == STEPS)
            .filter(one -> one.generate().threadsPerBlock() == SHARING_THREADS)
            .findFirst()
            .orElseThrow();
    FusedKernel.Launch launch =
        kernel.launch(layout, kernel.results(layout).orElseThrow(), RESIDENT);
    List<Integer> numbers = launch.numbers();
    int longLines = numbers.get(numbers.size() - 2);
    int shortLines = numbers.get(numbers.size() - 1);
    assertThat(shortLines).isLessThan(longLines);
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (PrimaryContext context = gpu.driver().open(0)) {
      FusedCheck check = new FusedCheck(context, 1).withResident(RESIDENT);
      assertThat(check.fault(what, kernel, sizes)).isEmpty();
    }
  }
}
