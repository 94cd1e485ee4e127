/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.StencilSpec;

/** A stencil that its engine has made ready to run. Owned by the engine; safe for many threads. */
public interface CompiledStencil {
  /** Returns what was compiled. */
  StencilSpec spec();

  /** Returns how it runs, for plans and logs: the variant's name. */
  String description();
}
