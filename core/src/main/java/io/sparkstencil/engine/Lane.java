/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.Restaging;
import io.sparkstencil.staging.StagedBatch;
import java.util.List;

/**
 * One task's way through an engine: a stream and its memory on a GPU, plain calls on a CPU. Batches
 * of a lane finish in the order of submission. Used by one thread at a time; closing it waits for
 * what was submitted. Buffers are closed before their lane.
 */
public interface Lane extends AutoCloseable {
  /**
   * Lends memory for {@code cells} cells that this engine can read and write.
   *
   * @throws io.sparkstencil.error.DeviceOutOfMemoryException if there is none, even after waiting
   */
  CellBuffer lease(ElementType type, int cells, boolean withValidity);

  /**
   * Starts the stencils over one batch. {@code stencils.get(k)} writes to {@code outputs.get(k)},
   * at the positions that {@link io.sparkstencil.staging.StagingLayout} gives. All buffers stay
   * untouched until the completion has been awaited. An engine may write any position of an output
   * below {@link io.sparkstencil.staging.StagingLayout#stagedCells()}, and none from there on; the
   * staged cells stay as they are.
   *
   * <p>Values: what {@link io.sparkstencil.model.Reduction} says over the cells of the frame that
   * are neither missing nor null; 0 where that is nothing. Validity: written for every output if
   * {@code input.hasNulls()} (the outputs then have validity bytes): 1 where at least one cell
   * counted, for a weighted sum where also no cell of the frame is null, always 1 for a count;
   * under the boundary valid, 0 where the frame has missing cells. Without nulls the caller derives
   * validity from the layout ({@link io.sparkstencil.staging.ResultValidity}).
   */
  Completion submit(StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs);

  /**
   * The number that {@link io.sparkstencil.staging.StagingLayout#left()} is a multiple of in
   * batches for {@link #submitSteps}, so that results can become cells where they are.
   */
  int STEP_ALIGNMENT_CELLS = 16;

  /**
   * Starts {@code steps} applications of one stencil to a batch, each but the first to the results
   * of the one before. The pieces are whole series, whose halos follow the boundary rule in each
   * step. Otherwise as {@link #submit}.
   *
   * @param output takes the results of the last step
   * @param between as large as the others, for results between steps; it means nothing afterwards
   */
  default Completion submitSteps(
      StagedBatch input,
      CompiledStencil stencil,
      CellBuffer output,
      CellBuffer between,
      int steps) {
    Completion completion = submit(input, List.of(stencil), List.of(output));
    StagedBatch again = new StagedBatch(input.layout(), between, input.hasNulls());
    for (int step = 1; step < steps; step++) {
      completion.await();
      Restaging.restage(
          input.layout(), stencil.spec().boundary(), output, input.hasNulls(), between);
      completion = submit(again, List.of(stencil), List.of(output));
    }
    return completion;
  }

  /**
   * Returns what the device has spent on the batches that have been awaited; {@link
   * DeviceTimes#NONE} from engines that do not measure it. May be asked after closing.
   */
  default DeviceTimes deviceTimes() {
    return DeviceTimes.NONE;
  }

  @Override
  void close();
}
