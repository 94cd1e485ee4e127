/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.grid.CellSummary;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.SparkSession;

/** A grid that the CPU engine computes as a whole, to compare with. */
record WholeGrid(StencilProgram program, ElementType type, Extent extent) {
  private static final List<String> HEAT =
      List.of(
          "u' = u + a*k[1]*(u[-1] + u[1] - 2*u) + 0.00001*x",
          "u' = u + a*k[0,1]*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u) + 0.00001*x",
          "u' = u + a*k[0,0,1]*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1]"
              + " + u[0,0,1] - 6*u) + 0.00001*x");

  private static final List<Extent> EXTENTS =
      List.of(Extent.of(700), Extent.of(40, 30), Extent.of(14, 12, 10));

  /** Heat that flows where a coefficient field lets it, in a grid of 40 x 30 cells. */
  static WholeGrid heat(Boundary boundary) {
    return heat(2, ElementType.F32, boundary);
  }

  /** The same in a grid of 1 to 3 axes. */
  static WholeGrid heat(int dimensions, ElementType type, Boundary boundary) {
    StencilProgram program = ProgramText.parse(HEAT.get(dimensions - 1)).withBoundary(boundary);
    return new WholeGrid(program, type, EXTENTS.get(dimensions - 1));
  }

  /** What a wind brings from one side, so that blocks give to others that they take nothing of. */
  static WholeGrid wind() {
    StencilProgram program =
        ProgramText.parse("u' = u + a*k[0,0]*(u[-1,0] + u[0,-1] - 2*u) + 0.00001*x")
            .withBoundary(Boundary.REFLECT);
    return new WholeGrid(program, ElementType.F32, EXTENTS.get(1));
  }

  static double first(String field, long... at) {
    long folded = 0;
    long weighed = 0;
    for (int axis = 0; axis < at.length; axis++) {
      folded = 3 * folded + at[axis];
      weighed += (7 + 6 * axis) * at[axis];
    }
    return field.equals("k") ? 0.5 + 0.01 * (folded % 40) : weighed % 17;
  }

  double coefficient() {
    return 0.4 / extent.dimensions();
  }

  GridBuilder builder(SparkSession spark) {
    return bareBuilder(spark).field("u", at -> first("u", at)).parameter("a", coefficient());
  }

  /** Returns a builder of a grid of which each block takes some milliseconds for each step. */
  GridBuilder slowBuilder(SparkSession spark, int millis) {
    double value = coefficient();
    return bareBuilder(spark)
        .field("u", at -> first("u", at))
        .parameters((parameter, step) -> slowly(value, millis));
  }

  private static double slowly(double value, int millis) {
    LockSupport.parkNanos(millis * 1_000_000L);
    return value;
  }

  /** Returns a builder without the cells of u and the value of a. */
  GridBuilder bareBuilder(SparkSession spark) {
    return StencilGrids.builder(spark, program)
        .extent(extent.sizes().stream().mapToLong(Integer::longValue).toArray())
        .type(type)
        .field("k", at -> first("k", at));
  }

  /** Returns the cells of u after some steps. */
  Object after(long steps) {
    List<Object> arrays = program.fields().stream().map(field -> cells(field)).toList();
    run(arrays, steps);
    return arrays.get(0);
  }

  /**
   * Returns the cells of u after some steps, between which values are added to a cell.
   *
   * @param samples gets the values of the cell with the index {@code sampled}, after each step
   */
  Object stepwise(int steps, long[] cell, double[] series, int sampled, List<Double> samples) {
    List<Object> arrays = program.fields().stream().map(field -> cells(field)).toList();
    float[] u = (float[]) arrays.get(0);
    for (int step = 0; step < steps; step++) {
      run(arrays, 1);
      if (step < series.length) {
        u[(int) (cell[0] * extent.size(1) + cell[1])] += (float) series[step];
      }
      samples.add((double) u[sampled]);
    }
    return u;
  }

  private void run(List<Object> arrays, long steps) {
    // tests are not compiled well enough for the Vector API to pay
    CpuProgram.compile(program, Map.of(CpuOptions.VECTORS.key(), "false"))
        .run(
            new ProgramArrays(type, extent, arrays),
            ParameterValues.of(program, Map.of("a", coefficient())),
            (int) steps,
            1);
  }

  private Object cells(String field) {
    Object cells = type.newArray(extent.cells());
    for (int i = 0; i < extent.cells(); i++) {
      long[] at = new long[extent.dimensions()];
      for (int axis = at.length - 1, rest = i; axis >= 0; axis--) {
        at[axis] = rest % extent.size(axis);
        rest /= extent.size(axis);
      }
      if (cells instanceof float[] floats) {
        floats[i] = (float) first(field, at);
      } else {
        ((double[]) cells)[i] = first(field, at);
      }
    }
    return cells;
  }

  Object after(long steps, Box box) {
    Object cells = type.newArray(box.cells());
    CellBoxes.copy(after(steps), Box.whole(extent), cells, box, box);
    return cells;
  }

  GridSummary summaryAfter(long steps) {
    CellSummary summary = new CellSummary();
    summary.add(after(steps));
    return new GridSummary(
        summary.min(), summary.max(), summary.sum(), summary.norm(), summary.missing());
  }

  /** Returns the largest change of a cell between two states. */
  double change(long before, long after) {
    return CellChange.largest(after(before), after(after));
  }

  /** Returns after how many steps a check finds no change as large as a limit. */
  long stepsUntil(double limit, long every) {
    long steps = every;
    while (steps < 10_000 && change(steps - every, steps) >= limit) {
      steps += every;
    }
    return steps;
  }
}
