/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.engine.StencilEngine;

/** An engine that a pipeline may use, not taken yet. */
public interface EngineCandidate {
  /** An engine in use. Closing it, once or more often, says that its lanes are closed. */
  interface Use extends AutoCloseable {
    /** Returns the engine, which stays open until {@link #close}. */
    StencilEngine engine();

    @Override
    void close();
  }

  /** Returns the engine's name. */
  String name();

  /**
   * Takes the engine, which may have to be opened or waited for.
   *
   * @throws io.sparkstencil.error.EngineUnavailableException if it cannot be used
   */
  Use take();
}
