/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Map;

/** The values of a program's parameters. They are rounded to the element type of the cells. */
@FunctionalInterface
public interface ParameterValues {
  /** The values of a program without parameters. */
  ParameterValues NONE =
      (parameter, step) -> {
        throw new IllegalStateException("the program has no parameters");
      };

  /**
   * Returns the value of a parameter.
   *
   * @param parameter its index in {@link StencilProgram#parameters}
   * @param step the step, from 0
   */
  double value(int parameter, long step);

  /**
   * Returns values that are the same in each step.
   *
   * @param values one value for the name of each parameter
   */
  static ParameterValues of(StencilProgram program, Map<String, Double> values) {
    List<String> names = program.parameters();
    for (String name : names) {
      if (values.get(name) == null) {
        throw new InvalidStencilException(
            "parameter %s has no value; give values for %s; if %s is a field that is only read, write %s[0%s]"
                .formatted(name, names, name, name, ",0".repeat(program.dimensions() - 1)));
      }
    }
    for (String name : values.keySet()) {
      if (!names.contains(name)) {
        throw new InvalidStencilException(
            "the program has no parameter %s; its parameters are %s".formatted(name, names));
      }
    }
    double[] fixed = names.stream().mapToDouble(values::get).toArray();
    return (parameter, step) -> fixed[parameter];
  }
}
