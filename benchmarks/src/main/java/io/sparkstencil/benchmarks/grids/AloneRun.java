/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.engine.BestProgram;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The program of a grid without Spark: on all of its cells at once, which stay in the memory of the
 * device or on the heap, with all cores.
 */
final class AloneRun implements AutoCloseable {
  private final ProgramEngines engines;
  private final BestProgram program;
  private final BlockFields fields;
  private final int cores;

  /** Takes the first cells of a case. */
  AloneRun(GridCase what, String engine, int cores) {
    this.cores = cores;
    StencilProgram source = what.program();
    StepReach reach = StepReach.of(source);
    ExtendedBlock place = ExtendedBlock.of(what.whole(reach), reach, 1, 0);
    engines = ProgramEngines.select(engine, Map.of());
    program = engines.compile(source);
    fields =
        program
            .hold(what.type(), place, 1000, false, AloneRun::failed)
            .orElseGet(() -> new BlockArrays(what.type(), place, source.fields().size()));
    fields.load(0, cells(what, place.own()));
  }

  private static void failed(String engine, StencilException failure) {
    throw new IllegalStateException(engine + " failed", failure);
  }

  private static Object cells(GridCase what, Box box) {
    Object cells = what.type().newArray(box.cells());
    IntStream.range(0, box.cells())
        .parallel()
        .forEach(
            i -> {
              double first = GridCase.first(position(what, i));
              if (cells instanceof float[] floats) {
                floats[i] = (float) first;
              } else {
                ((double[]) cells)[i] = first;
              }
            });
    return cells;
  }

  private static long[] position(GridCase what, int cell) {
    long[] position = new long[what.dimensions()];
    long rest = cell;
    for (int axis = position.length - 1; axis >= 0; axis--) {
      position[axis] = rest % what.size();
      rest /= what.size();
    }
    return position;
  }

  /** Returns the seconds that some steps take. */
  double seconds(int steps) {
    return Turns.seconds(
        () ->
            fields.step(
                ParameterValues.NONE,
                steps,
                (arrays, values, n) -> program.run(arrays, values, n, cores, AloneRun::failed)));
  }

  /** Returns all cells. */
  Object cells() {
    return fields.cells(0, fields.place().own());
  }

  @Override
  public void close() {
    fields.close();
    engines.close();
  }
}
