/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.programs.BlockRun;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs at random, on grids that are cut into 1 to 37 blocks, many of them narrower than the
 * program reaches, have the bits of the reference on the whole grid.
 */
final class BlocksOfEveryProgramTest {
  private static final int CASES = Integer.getInteger("stencil.grid.cases", 150);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void blocksHaveTheBitsOfTheWholeGridOnTheCpu(long seed) {
    Random random = new Random(seed);
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) -> {
          CpuProgram compiled = CpuProgram.compile(program, Map.of());
          run(
              program,
              arrays,
              parameters,
              steps,
              random,
              (cells, values, n) -> compiled.run(cells, values, n, 1));
        },
        seed,
        CASES);
  }

  @ParameterizedTest
  @ValueSource(longs = 4)
  void blocksHaveTheBitsOfTheWholeGridOnTheReference(long seed) {
    Random random = new Random(seed);
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) ->
            run(
                program,
                arrays,
                parameters,
                steps,
                random,
                (cells, values, n) -> ProgramReference.run(program, cells, values, n)),
        seed,
        CASES / 5);
  }

  private static void run(
      StencilProgram program,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      Random random,
      BlockFields.HostRunner host) {
    BlockRun.run(
        program,
        arrays,
        parameters,
        steps,
        random,
        place -> new BlockArrays(arrays.type(), place, program.fields().size()),
        host);
  }
}
