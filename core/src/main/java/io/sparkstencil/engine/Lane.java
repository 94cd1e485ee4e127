/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.Restaging;
import io.sparkstencil.staging.StagedBatch;
import java.util.List;

/**
 * A task's connection to an engine: a stream and its memory on a GPU, plain calls on a CPU. Batches
 * of a lane finish in the order of submission. A lane is used by one thread at a time; closing it
 * waits for submitted batches. Buffers must be closed before their lane.
 */
public interface Lane extends AutoCloseable {
  /**
   * Leases memory for {@code cells} cells that this engine can read and write.
   *
   * @throws io.sparkstencil.error.DeviceOutOfMemoryException if there is none, even after waiting
   */
  CellBuffer lease(ElementType type, int cells, boolean withValidity);

  /**
   * Starts the stencils over one batch. {@code stencils.get(k)} writes to {@code outputs.get(k)},
   * at the positions that {@link io.sparkstencil.staging.StagingLayout} gives. The caller must not
   * touch any of the buffers until the completion has been awaited. An engine may write any
   * position of an output below {@link io.sparkstencil.staging.StagingLayout#stagedCells()}, and
   * none beyond; it does not change the staged cells.
   *
   * <p>Values: the {@link io.sparkstencil.model.Reduction} over the cells of the frame that are
   * neither missing nor null, or 0 if there are no such cells.
   *
   * <p>Validity: written for every output if {@code input.hasNulls()}; the outputs then have
   * validity bytes. It is 1 if at least one cell counted and, for a weighted sum, no cell of the
   * frame is null; for a count it is always 1. Under the boundary valid, it is 0 if the frame has
   * missing cells. Without nulls, the caller derives validity from the layout ({@link
   * io.sparkstencil.staging.ResultValidity}).
   */
  Completion submit(StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs);

  /**
   * Tells whether this engine also runs over arrays that it has not lent: windows of {@link
   * io.sparkstencil.cells.HeapCellBuffer} on cells without nulls that lie with their halos in an
   * array already, and on the array in which results belong. Such a batch is done when {@link
   * #submit} returns, and of an output nothing behind its capacity is written.
   */
  default boolean worksOnHeap() {
    return false;
  }

  /**
   * In batches for {@link #submitSteps}, {@link io.sparkstencil.staging.StagingLayout#left()} is a
   * multiple of this number, so that results can become cells in place.
   */
  int STEP_ALIGNMENT_CELLS = 16;

  /**
   * Applies one stencil {@code steps} times to a batch, each time to the results of the step
   * before. The pieces are whole series, whose halos follow the boundary rule in each step. In all
   * other respects the same as {@link #submit}.
   *
   * @param output receives the results of the last step
   * @param between a buffer of the same size for results between steps; its contents are undefined
   *     afterwards
   */
  default Completion submitSteps(
      StagedBatch input,
      CompiledStencil stencil,
      CellBuffer output,
      CellBuffer between,
      int steps) {
    Completion completion = submit(input, List.of(stencil), List.of(output));
    for (int step = 1; step < steps; step++) {
      completion.await();
      Cancellation.ask();
      StagedBatch again = Restaging.restage(input, stencil.spec().boundary(), output, between);
      completion = submit(again, List.of(stencil), List.of(output));
    }
    return completion;
  }

  /**
   * Returns the time that the device has spent on the batches awaited so far, or {@link
   * DeviceTimes#NONE} if the engine does not measure it. May be called after closing.
   */
  default DeviceTimes deviceTimes() {
    return DeviceTimes.NONE;
  }

  /**
   * Returns the most device memory that the lane has had at once for batches, in bytes; 0 if the
   * engine computes on the host. May be called after closing.
   */
  default long deviceBytes() {
    return 0;
  }

  @Override
  void close();
}
