/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.grid.GridParameters;
import java.util.LinkedHashMap;
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
public record TimedParameters(List<Double> values, int ofTime, int ofStep, double dt)
    implements GridParameters {
  private static final long serialVersionUID = 1L;

  private static final String TIME = "t";
  private static final String STEP = "step";

  /**
   * Returns the parameters of a program.
   *
   * @param given the numbers of all others; those that are given do not follow the steps
   */
  public static TimedParameters of(StencilProgram program, Map<String, Double> given, double dt) {
    List<String> names = program.parameters();
    return new TimedParameters(
        names.stream().map(name -> given.getOrDefault(name, Double.NaN)).toList(),
        given.containsKey(TIME) ? -1 : names.indexOf(TIME),
        given.containsKey(STEP) ? -1 : names.indexOf(STEP),
        dt);
  }

  /**
   * Checks that each parameter has a number or follows the steps.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if one has none, or a number is of none
   */
  public static void require(StencilProgram program, Map<String, Double> given) {
    Map<String, Double> all = new LinkedHashMap<>(given);
    for (String timed : List.of(TIME, STEP)) {
      if (program.parameters().contains(timed)) {
        all.putIfAbsent(timed, 0.0);
      }
    }
    ParameterValues.of(program, all);
  }

  /** Tells whether some follow the steps. */
  public boolean isTimed() {
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
