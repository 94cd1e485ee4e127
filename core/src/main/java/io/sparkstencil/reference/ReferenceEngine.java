/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import java.util.List;

/**
 * Runs stencils one cell at a time, straight from their definition. Other engines are compared with
 * it, and it is the engine of last resort. {@link io.sparkstencil.model.Accuracy#FAST} runs as
 * exact. Writes only output positions.
 */
public final class ReferenceEngine implements StencilEngine {
  /** The name that users choose this engine by. */
  public static final String NAME = Engines.REFERENCE;

  private static final int BATCH_BYTES = 1 << 20;

  private record Compiled(StencilSpec spec, String description) implements CompiledStencil {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public CompiledStencil compile(StencilSpec spec) {
    return new Compiled(requireNonNull(spec, "spec is null"), "reference, one cell at a time");
  }

  @Override
  public Lane openLane() {
    return new ReferenceLane();
  }

  @Override
  public int preferredBatchBytes() {
    return BATCH_BYTES;
  }

  @Override
  public void close() {
    // There is nothing to release.
  }

  private static final class ReferenceLane implements Lane {
    @Override
    public CellBuffer lease(ElementType type, int cells, boolean withValidity) {
      return new HeapCellBuffer(type, cells, withValidity);
    }

    @Override
    public Completion submit(
        StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
      for (int i = 0; i < stencils.size(); i++) {
        HeapCellBuffer output = (HeapCellBuffer) outputs.get(i);
        new ScalarReference(stencils.get(i).spec(), input, output).run();
      }
      return Completion.DONE;
    }

    @Override
    public void close() {
      // There is nothing to release.
    }
  }
}
