/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.StencilEngine;
import java.util.Map;

class CpuEngineConformanceTest extends EngineConformance {
  @Override
  protected StencilEngine engine() {
    return new CpuEngine(Map.of("spark.stencil.cpu.vectors", "true"));
  }

  /** Some chunks of 32768 cells, by which this engine cuts what it computes. */
  @Override
  protected int longSize() {
    return 1 << 18;
  }
}
