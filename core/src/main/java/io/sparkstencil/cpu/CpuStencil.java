/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.model.Weights;

/**
 * A stencil with its weights in the element type.
 *
 * @param spec the stencil
 * @param weights primitive array of the element type
 * @param sliding whether sums slide, at a cost that does not grow with the width; allowed if the
 *     order of additions is free, or irrelevant because integers wrap
 * @param description the kind of passes that run
 */
record CpuStencil(StencilSpec spec, Object weights, boolean sliding, String description)
    implements CompiledStencil {

  static CpuStencil of(StencilSpec spec, String passes) {
    boolean anyOrder = spec.accuracy() == Accuracy.FAST || !spec.type().isFloating();
    boolean sums = spec.reduction() == Reduction.SUM || spec.reduction() == Reduction.MEAN;
    boolean sliding = spec.reduction().chooses() || (sums && anyOrder);
    String description = "cpu, %s, %s".formatted(sliding ? "sliding" : "tap by tap", passes);
    return new CpuStencil(spec, typed(spec), sliding, description);
  }

  private static Object typed(StencilSpec spec) {
    Weights weights = spec.stencil().weights();
    HeapCellBuffer typed = new HeapCellBuffer(spec.type(), weights.size(), false);
    for (int i = 0; i < weights.size(); i++) {
      typed.fill(i, 1, weights.get(i));
    }
    return typed.array();
  }
}
