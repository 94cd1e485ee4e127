/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.grid.GridParameters;
import java.util.List;
import java.util.Map;

/**
 * Parameters of which some follow the steps: {@code step}, which counts from 0, and {@code t}, the
 * time of the cells that a step reads.
 *
 * @param values of the others, by their indices
 * @param ofTime the index of {@code t}, or -1
 * @param ofStep the index of {@code step}, or -1
 * @param dt the time of a step
 */
record TimedParameters(List<Double> values, int ofTime, int ofStep, double dt)
    implements GridParameters {
  private static final long serialVersionUID = 1L;

  static final String TIME = "t";
  static final String STEP = "step";

  /**
   * Returns the parameters of a program.
   *
   * @param given the numbers of all others; those that are given do not follow the steps
   */
  static TimedParameters of(StencilProgram program, Map<String, Double> given, double dt) {
    List<String> names = program.parameters();
    return new TimedParameters(
        names.stream().map(name -> given.getOrDefault(name, Double.NaN)).toList(),
        given.containsKey(TIME) ? -1 : names.indexOf(TIME),
        given.containsKey(STEP) ? -1 : names.indexOf(STEP),
        dt);
  }

  /** Tells whether some follow the steps. */
  boolean isTimed() {
    return ofTime >= 0 || ofStep >= 0;
  }

  @Override
  public double value(int parameter, long step) {
    if (parameter == ofTime) {
      return step * dt;
    }
    return parameter == ofStep ? step : values.get(parameter);
  }
}
