/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.StencilSpec;

/** A stencil compiled by an engine. Owned by the engine; thread-safe. */
public interface CompiledStencil {
  /** Returns the specification that was compiled. */
  StencilSpec spec();

  /** Returns the name of the variant that runs, for plans and logs. */
  String description();
}
