/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.StencilEngine;
import java.util.Map;

/** Provides the reference engine, the last choice under {@code auto}. */
public final class ReferenceEngineProvider implements EngineProvider {
  @Override
  public String name() {
    return ReferenceEngine.NAME;
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public StencilEngine open(Map<String, String> options) {
    return new ReferenceEngine();
  }
}
