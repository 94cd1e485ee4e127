/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import io.sparkstencil.engine.StencilEngine;

/** An engine that may be used, not opened yet. */
public interface EngineCandidate {
  /** Leave to have a lane open; closing it gives the leave back. */
  interface Admission extends AutoCloseable {
    /** Leave that needs no asking. */
    Admission FREE = () -> {};

    @Override
    void close();
  }

  /** Returns the engine's name. */
  String name();

  /**
   * Returns the engine, opened if it is not open yet; its owner closes it.
   *
   * @throws io.sparkstencil.error.EngineUnavailableException if it cannot be used
   */
  StencilEngine engine();

  /** Waits for leave to open a lane. */
  default Admission admit() {
    return Admission.FREE;
  }
}
