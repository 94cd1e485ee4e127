/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.StencilEngine;
import java.util.Map;

/** Batches that are computed when they are awaited, as a GPU's are: both slots are in use. */
class FaultyEngineConformanceTest extends EngineConformance {
  @Override
  protected StencilEngine engine() {
    return new FaultyEngine(FaultPlan.ofProcess(), "0", () -> new CpuEngine(Map.of()));
  }

  @Override
  protected int longSize() {
    return 1 << 16;
  }
}
