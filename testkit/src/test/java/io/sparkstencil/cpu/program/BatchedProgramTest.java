/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Batched;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.testkit.programs.ProgramConformance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Arrays in a batch have the results that they have alone. */
final class BatchedProgramTest {
  @Test
  void anArrayAmongOthersHasItsOwnResults() {
    ProgramConformance.requireReferenceResults(BatchedProgramTest::amongOthers, 91, 400);
  }

  /** Runs the arrays between others of different values, if there can be one more axis. */
  private static void amongOthers(
      StencilProgram program, ProgramArrays arrays, ParameterValues parameters, int steps) {
    if (!Batched.isPossible(program)) {
      CpuProgram.compile(program, Map.of()).run(arrays, parameters, steps, 1);
      return;
    }
    int cells = arrays.extent().cells();
    List<Object> stacks = new ArrayList<>();
    for (Object array : arrays.arrays()) {
      Object stack = arrays.type().newArray(4 * cells);
      for (int i = 0; i < cells; i++) {
        System.arraycopy(array, i, stack, cells - 1 - i, 1);
      }
      System.arraycopy(array, 0, stack, 2 * cells, cells);
      stacks.add(stack);
    }
    List<Integer> sizes = new ArrayList<>(List.of(4));
    sizes.addAll(arrays.extent().sizes());
    CpuProgram.compile(Batched.of(program), Map.of())
        .run(new ProgramArrays(arrays.type(), new Extent(sizes), stacks), parameters, steps, 1);
    for (int field = 0; field < stacks.size(); field++) {
      System.arraycopy(stacks.get(field), 2 * cells, arrays.arrays().get(field), 0, cells);
    }
  }

  @Test
  void threeAxesAreAllThatThereAre() {
    StencilProgram solid = ProgramText.parse("u' = u[0,0,1]");
    assertThatThrownBy(() -> Batched.of(solid))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("batched along a further one of at most 3");
  }
}
