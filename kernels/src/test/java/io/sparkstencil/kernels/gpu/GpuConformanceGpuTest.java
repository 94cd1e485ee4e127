/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.testkit.EngineConformance;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.Map;

/** What every engine must do, done by a real device. */
@RequiresGpu
class GpuConformanceGpuTest extends EngineConformance {
  @Override
  protected StencilEngine engine() {
    return new GpuEngineProvider().open(Map.of());
  }
}
