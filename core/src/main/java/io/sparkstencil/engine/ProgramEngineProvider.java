/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.Map;
import java.util.Optional;

/**
 * Makes an engine for programs available through {@link java.util.ServiceLoader}. Loading a
 * provider never touches a device.
 */
public interface ProgramEngineProvider {
  /** The rank of an engine that only those get who ask for it by name. */
  int ONLY_BY_NAME = -1;

  /** Returns the engine's name. */
  String name();

  /** Returns the rank: of engines that take equally long, the one with the highest is used. */
  int rank();

  /**
   * Returns the reason why the engine cannot be opened in this process, or empty if it can. Probes
   * the device.
   */
  default Optional<String> unavailableReason() {
    return Optional.empty();
  }

  /** Estimates the time that the engine takes; opens nothing. */
  ProgramEstimate estimate(ProgramWork work);

  /**
   * Opens the engine.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if there is an {@link
   *     #unavailableReason}
   */
  ProgramEngine open(Map<String, String> options);
}
