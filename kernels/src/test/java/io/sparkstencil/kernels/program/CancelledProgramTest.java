/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.EndedWork;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs on an emulated device end between launches, and leave nothing there. */
final class CancelledProgramTest {
  private static final StencilProgram MEAN = ProgramText.parse("u' = 0.5*u[-1] + 0.5*u[1]");

  private final FakeGpu gpu = new FakeGpu();

  CancelledProgramTest() {
    gpu.emulate();
  }

  @AfterEach
  void leavesNothing() {
    assertThat(gpu.driver().liveHandles()).isEmpty();
  }

  private static ProgramArrays arrays(int cells) {
    double[] field = new double[cells];
    Arrays.setAll(field, i -> i % 7);
    return new ProgramArrays(ElementType.F64, Extent.of(cells), List.of(field));
  }

  private void requireEnds(Map<String, String> options, FusedSource source, int cells)
      throws InterruptedException {
    try (GpuPrograms engine = ProgramChecks.open(gpu.driver(), options, source)) {
      EndedWork.requireEndsSoon(
          "steps of %d cells on an emulated device".formatted(cells),
          () ->
              engine.compile(MEAN).run(arrays(cells), ParameterValues.NONE, Integer.MAX_VALUE, 1));

      ProgramArrays next = arrays(cells);
      engine.compile(MEAN).run(next, ParameterValues.NONE, 3, 1);
      ProgramArrays expected = arrays(cells);
      CpuProgram.compile(MEAN, Map.of()).run(expected, ParameterValues.NONE, 3, 1);
      assertThat((double[]) next.arrays().get(0)).isEqualTo((double[]) expected.arrays().get(0));
    }
  }

  @Test
  void fieldsOnTheDeviceEndBetweenPasses() throws InterruptedException {
    requireEnds(Map.of(), ProgramChecks.NEVER, 300);
    requireEnds(Map.of(), ProgramChecks.ALWAYS, 3000);
  }

  @Test
  void fieldsThatDoNotFitEndBetweenParts() throws InterruptedException {
    requireEnds(
        Map.of(GpuOptions.DEVICE_BYTES.key(), Long.toString(8 << 20)),
        ProgramChecks.NEVER,
        1 << 19);
  }
}
