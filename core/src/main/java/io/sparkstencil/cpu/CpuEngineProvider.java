/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.StencilEngine;
import java.util.Map;

/** Provides the CPU engine, which works everywhere. */
public final class CpuEngineProvider implements EngineProvider {
  @Override
  public String name() {
    return CpuEngine.NAME;
  }

  @Override
  public int rank() {
    return 100;
  }

  @Override
  public StencilEngine open(Map<String, String> options) {
    return new CpuEngine(options);
  }
}
