/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.Map;
import java.util.Optional;

/**
 * How an engine is found, by {@link java.util.ServiceLoader}: one per jar that brings an engine.
 * Loading a provider never touches a device.
 */
public interface EngineProvider {
  /** Returns the engine's name. */
  String name();

  /** Returns the rank among engines under {@code auto}; the highest that works is used. */
  int rank();

  /** Returns why the engine cannot be opened in this process, or empty; probes the device. */
  Optional<String> unavailableReason();

  /**
   * Opens the engine.
   *
   * @param options values of {@code spark.stencil.*} keys; keys of other engines are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException where {@link #unavailableReason} says
   */
  StencilEngine open(Map<String, String> options);
}
