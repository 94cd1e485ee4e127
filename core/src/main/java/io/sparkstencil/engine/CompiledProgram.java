/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import java.util.Optional;

/**
 * A program that an engine can run, on cells of any type and extent. Safe for many threads, each
 * with arrays of its own.
 */
public interface CompiledProgram {
  /**
   * Runs a number of steps and replaces the cells of the updated fields. Under the accuracies exact
   * and fma, results have the same bits on every engine. If it fails, the arrays are as they were,
   * unless the failure is of the kind {@link io.sparkstencil.error.ErrorCode#INTERNAL}.
   *
   * @param arrays the cells of all fields
   * @param parameters the values of the parameters in each step
   * @param steps the number of steps, at least 0
   * @param threads the most threads of the host to use, at least 1; this thread waits for them
   */
  void run(ProgramArrays arrays, ParameterValues parameters, int steps, int threads);

  /**
   * Returns how steps are taken on fields of this type and extent, if a measurement has decided it.
   */
  default Optional<String> measured(ElementType type, Extent extent) {
    return Optional.empty();
  }

  /**
   * Returns the device memory that the fields of a run take at once, in bytes; 0 if the engine
   * computes on the host.
   */
  default long deviceBytes(ElementType type, Extent extent) {
    return 0;
  }
}
