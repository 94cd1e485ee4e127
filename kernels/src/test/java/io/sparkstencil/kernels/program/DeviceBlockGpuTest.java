/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.LeakCheck;
import io.sparkstencil.testkit.RequiresGpu;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks whose fields stay on a GPU have the bits of the CPU on the whole grid. */
@RequiresGpu
@Timeout(300)
final class DeviceBlockGpuTest {
  private static final int CASES = 100;

  @RegisterExtension
  final LeakCheck leaks =
      new LeakCheck().watch("handles", () -> CudaDriver.get().liveHandles().size());

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void programsAtRandomHaveTheBitsOfTheReference(long seed) {
    try (GpuPrograms engine = ProgramChecks.open(Map.of(), ProgramChecks.ALWAYS)) {
      ProgramConformance.requireReferenceResults(
          (program, arrays, parameters, steps) ->
              ProgramChecks.runInBlocks(engine, program, arrays, parameters, steps, seed),
          seed,
          CASES);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u' = u + a*(u[-1] - 2*u + u[1]) + 1e-6*x | reflect | 1000003 | F32",
        "u' = u + a*laplacian(u) + 1e-6*x*u[0,0] | wrap | 1201x901 | F32",
        "p' = u; u' = 2*u - p + a*laplacian(u, 4) + 0*u[0,1] | constant:1 | 700x1100 | F64",
        "p' = u[0,0,0]; u' = 2*u - p + a*laplacian(u, 4) | wrap | 90x130x110 | F32",
        "u' = u + a*laplacian(u) + 1e-6*z*u[0,0,0] | mirror | 101x77x95 | F64"
      })
  void largerGridsHaveTheBitsOfTheCpu(
      String text, String boundary, String sizes, ElementType type) {
    StencilProgram program = BoundaryText.apply(ProgramText.parse(text), boundary);
    Extent extent = new Extent(List.of(sizes.split("x")).stream().map(Integer::valueOf).toList());
    ParameterValues parameters = (parameter, step) -> 0.1 + 0.01 * (step % 7);
    ProgramArrays expected = ProgramChecks.arrays(program, type, extent, 3);
    CpuProgram.compile(program, Map.of()).run(expected, parameters, 21, 4);
    try (GpuPrograms engine = ProgramChecks.open(Map.of(), FusedSource.ESTIMATED)) {
      for (int seed = 0; seed < 3; seed++) {
        ProgramArrays actual = ProgramChecks.arrays(program, type, extent, 3);
        ProgramChecks.runInBlocks(engine, program, actual, parameters, 21, seed);
        for (int field = 0; field < program.fields().size(); field++) {
          assertThat(
                  ProgramChecks.mismatch(expected.arrays().get(field), actual.arrays().get(field)))
              .as("the first cell of field %d that differs", field)
              .isEqualTo(-1);
        }
      }
    }
  }
}
