/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.Optional;

/**
 * Makes an engine available through {@link java.util.ServiceLoader}. Loading a provider never
 * touches a device.
 */
public interface Provider {
  /** The rank of an engine that only those get who ask for it by name. */
  int ONLY_BY_NAME = -1;

  /** Returns the engine's name. */
  String name();

  /** Returns the rank under {@code auto}: of engines that would do, the highest is used. */
  int rank();

  /**
   * Returns the reason why the engine cannot be opened in this process, or empty if it can. Probes
   * the device.
   */
  default Optional<String> unavailableReason() {
    return Optional.empty();
  }
}
