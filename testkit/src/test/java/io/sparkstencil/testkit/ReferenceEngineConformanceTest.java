/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.reference.ReferenceEngine;

class ReferenceEngineConformanceTest extends EngineConformance {
  @Override
  protected StencilEngine engine() {
    return new ReferenceEngine();
  }

  @Override
  protected int longSize() {
    return 1 << 16;
  }
}
