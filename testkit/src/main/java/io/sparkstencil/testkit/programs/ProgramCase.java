/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.testkit.SeriesGenerator;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A program and what it runs on. Cells and parameters follow from the seed.
 *
 * @param program what is computed
 * @param type the type of the cells, F32 or F64
 * @param extent the cells along each axis
 * @param steps how often the program runs
 * @param kind whether NaN, infinities, signed zeros and subnormals are among the cells
 * @param seed of the cells and parameters
 */
public record ProgramCase(
    StencilProgram program, ElementType type, Extent extent, int steps, CellMix kind, long seed) {
  /** Returns new arrays with the cells of the first step. */
  public ProgramArrays arrays() {
    SeriesGenerator cells = new SeriesGenerator(seed);
    List<Object> arrays = new ArrayList<>();
    for (int field = 0; field < program.fields().size(); field++) {
      arrays.add(cells.next(type, extent.cells(), kind).cells());
    }
    return new ProgramArrays(type, extent, arrays);
  }

  /** Returns parameters that change from step to step. */
  public ParameterValues parameters() {
    return (parameter, step) ->
        new SplittableRandom(seed + 31L * parameter + 1009 * step).nextDouble() - 0.25;
  }

  /** Returns all that is needed to run the case again. */
  @Override
  public String toString() {
    return "%s%n  axes %s, %s, boundaries %s%n  %s, extent %s, %d steps, %s cells, seed %d"
        .formatted(
            program,
            program.axes(),
            program.accuracy(),
            BoundaryText.format(program),
            type,
            extent.sizes(),
            steps,
            kind,
            seed);
  }
}
