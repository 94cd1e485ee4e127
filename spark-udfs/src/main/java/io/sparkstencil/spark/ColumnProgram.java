/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.exec.SeriesProgram;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.Map;

/**
 * A program over a column in the order of its rows: each series is the array of the one field that
 * the program reads, and its new cells are the results.
 *
 * <pre>{@code
 * StencilProgram spread = ProgramText.parse("u + a*(u[-1] - 2*u + u[1])");
 * Dataset<Row> spreads =
 *     Stencils.over(readings)
 *         .orderBy("t")
 *         .apply("v", new ColumnProgram(spread, 100, Map.of("a", 0.2)), "v_100")
 *         .toDataset();
 * }</pre>
 *
 * @param program a program of one dimension, with its boundary and accuracy
 * @param steps how often it is applied, at least 1
 * @param parameters a value for each of its parameters
 */
public record ColumnProgram(StencilProgram program, int steps, Map<String, Double> parameters) {
  /**
   * Checks that series can be computed in parts.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if the program has several axes, reads
   *     several fields or its position, lacks the value of a parameter, or reaches further in all
   *     steps than 1,048,576 rows
   */
  public ColumnProgram {
    parameters = Map.copyOf(parameters);
    new SeriesProgram(new ProgramOperation(program, steps, parameters));
  }

  /** Returns a program without parameters, applied once. */
  public static ColumnProgram of(StencilProgram program) {
    return new ColumnProgram(program, 1, Map.of());
  }

  /** Returns the same, applied {@code newSteps} times. */
  public ColumnProgram withSteps(int newSteps) {
    return new ColumnProgram(program, newSteps, parameters);
  }

  /** Returns what runs over a series. */
  SeriesProgram series() {
    return new SeriesProgram(new ProgramOperation(program, steps, parameters));
  }
}
