/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagedBatch;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs each batch on submission, and keeps scratch memory for each element type. Pieces that are
 * whole series may be staged without the halos that a frame needs; see {@link WideFrames}.
 */
final class CpuLane implements Lane {
  private final PassKind choice;
  private final Map<ElementType, BatchRun> runs = new EnumMap<>(ElementType.class);
  private final Map<ElementType, BatchRun> fusedRuns = new EnumMap<>(ElementType.class);

  CpuLane(PassKind choice) {
    this.choice = choice;
  }

  @Override
  public CellBuffer lease(ElementType type, int cells, boolean withValidity) {
    try {
      return new HeapCellBuffer(type, cells, withValidity);
    } catch (OutOfMemoryError e) {
      // One array was too large for the free memory; the JVM itself is unharmed.
      throw new StencilException(
          ErrorCode.INVALID_ARGUMENT,
          "a batch of %,d cells of type %s, which includes all cells that its frames reach, does not fit into a heap of %,d MiB; use narrower frames, fewer stencils at once, or more memory"
              .formatted(cells, type, Runtime.getRuntime().maxMemory() >> 20),
          e);
    }
  }

  @Override
  public boolean worksOnHeap() {
    return true;
  }

  @Override
  public Completion submit(
      StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
    for (int i = 0; i < stencils.size(); i++) {
      CpuStencil stencil = (CpuStencil) stencils.get(i);
      ElementType type = stencil.spec().type();
      HeapCellBuffer output = (HeapCellBuffer) outputs.get(i);
      boolean fused = stencil.spec().fusesProducts();
      if (WideFrames.areIn(input, stencil.spec())) {
        new WideFrames(stencil, choice.passes(type, fused)).run(input, output);
      } else {
        (fused ? fusedRuns : runs)
            .computeIfAbsent(type, t -> new BatchRun(t, choice.passes(t, fused)))
            .run(input, stencil, output);
      }
    }
    return Completion.DONE;
  }

  @Override
  public void close() {
    runs.clear();
    fusedRuns.clear();
  }
}
