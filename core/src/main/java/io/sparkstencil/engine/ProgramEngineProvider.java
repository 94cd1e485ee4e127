/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import java.util.Map;
import java.util.Optional;

/**
 * Makes an engine for programs available. Its rank decides between engines that take equally long.
 */
public interface ProgramEngineProvider extends Provider {
  /** Estimates the time that the engine takes; opens nothing. */
  ProgramEstimate estimate(ProgramWork work);

  /**
   * Returns the steps that the engine takes at once where it can, so that a multiple of them is
   * fastest. Opens nothing.
   */
  default int stepsAtOnce(StencilProgram program, ElementType type, Extent extent) {
    return 1;
  }

  /**
   * Returns the bytes of device memory in which blocks of grids may stay: by the options and by the
   * device of this host, or by one of the usual size if there is none. 0 if the engine has no
   * memory of its own. Opens nothing.
   *
   * @param options as for {@link #open}
   */
  default long roomForBlocks(Map<String, String> options) {
    return 0;
  }

  /**
   * Returns the number of devices that programs of this process may use, each by an engine of its
   * own; 1 if the engine needs none. Opens nothing.
   *
   * @param options as for {@link #open}
   */
  default int devices(Map<String, String> options) {
    return 1;
  }

  /**
   * Opens the engine.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if there is an {@link
   *     #unavailableReason}
   */
  ProgramEngine open(Map<String, String> options);

  /**
   * Opens a search for faster ways to take steps, or returns empty if the engine has one way only.
   *
   * @throws io.sparkstencil.error.EngineUnavailableException if the engine has several ways but no
   *     device
   */
  default Optional<ProgramTuning> openTuning(ProgramTuning.Request request) {
    return Optional.empty();
  }
}
