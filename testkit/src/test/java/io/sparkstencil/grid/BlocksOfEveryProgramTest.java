/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.testkit.programs.BlockRun;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs at random, on grids that are cut into 1 to 37 blocks, many of them narrower than the
 * program reaches, have the bits of the reference on the whole grid. Half of the blocks wait in
 * files between supersteps.
 */
final class BlocksOfEveryProgramTest {
  private static final int CASES = Integer.getInteger("stencil.grid.cases", 150);

  private final AtomicInteger files = new AtomicInteger();
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void blocksHaveTheBitsOfTheWholeGridOnTheCpu(long seed) {
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) -> {
          CpuProgram compiled = CpuProgram.compile(program, Map.of());
          run(
              program,
              arrays,
              parameters,
              steps,
              seed,
              (cells, values, n) -> compiled.run(cells, values, n, 1));
        },
        seed,
        CASES);
  }

  @ParameterizedTest
  @ValueSource(longs = 4)
  void blocksHaveTheBitsOfTheWholeGridOnTheReference(long seed) {
    ProgramConformance.requireReferenceResults(
        (program, arrays, parameters, steps) ->
            run(
                program,
                arrays,
                parameters,
                steps,
                seed,
                (cells, values, n) -> ProgramReference.run(program, cells, values, n)),
        seed,
        CASES / 5);
  }

  private Path next() {
    return folder.resolve("block-" + files.incrementAndGet());
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(files).hasPositiveValue();
    assertThat(folder).isEmptyDirectory();
  }

  private void run(
      StencilProgram program,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      long seed,
      BlockFields.HostRunner host) {
    BlockRun.run(
        program,
        arrays,
        parameters,
        steps,
        seed,
        (plan, block, random) ->
            random.nextBoolean()
                ? new BlockArrays(arrays.type(), plan.extended(block), program.fields().size())
                : new BlockFile(next(), plan, block, program.updates().size(), block % 2 * 128),
        host);
  }
}
