/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.PieceKernel;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagingLayout;

/**
 * Pieces staged in device memory, over which stencils run.
 *
 * @param layout where they lie
 * @param hasNulls whether they have validity bytes
 * @param table device address of the rows for kernels that go piece by piece: start, cells,
 *     missingLeft, missingRight
 * @param tableRows how many; all pieces that have cells if more than one step is run, else those
 *     with missing cells
 */
record DevicePieces(StagingLayout layout, boolean hasNulls, long table, int tableRows) {
  /** Positions after the last output mean nothing: their frames run past the staged cells. */
  static int positions(StagingLayout layout) {
    return layout.stagedCells() - layout.left() - layout.right();
  }

  /**
   * Starts {@code steps} applications, the results of each becoming the cells of the next where
   * they are; both places are overwritten unless it is one step.
   *
   * @return where the results of the last step are: one of the two places
   */
  DeviceCells run(
      CudaStream stream, GpuStencil stencil, DeviceCells input, DeviceCells output, int steps) {
    DeviceCells from = input;
    DeviceCells to = output;
    for (int step = 1; step < steps; step++) {
      // Shifted by the left halo, an output lies where the layout has the cell.
      apply(stream, stencil, from, to.after(layout.left(), stencil.spec().type().bytes()));
      writeHalos(stream, stencil, to);
      DeviceCells free = from;
      from = to;
      to = free;
    }
    apply(stream, stencil, from, to);
    return to;
  }

  private void apply(CudaStream stream, GpuStencil stencil, DeviceCells input, DeviceCells output) {
    StencilSpec spec = stencil.spec();
    int positions = positions(layout);
    int shift = layout.left() - spec.frame().preceding();
    LaunchArguments arguments =
        tableArguments()
            .set(KernelParameter.INPUT, input.cells())
            .set(KernelParameter.OUTPUT, output.cells())
            .set(KernelParameter.INPUT_VALIDITY, input.validity())
            .set(KernelParameter.OUTPUT_VALIDITY, output.validity())
            .set(KernelParameter.STAGED_CELLS, layout.stagedCells())
            .set(KernelParameter.POSITIONS, positions)
            .set(KernelParameter.SHIFT, shift)
            .set(KernelParameter.PRECEDING, spec.frame().preceding())
            .set(KernelParameter.FOLLOWING, spec.frame().following());
    stencil.bulk(shift, hasNulls).launch(stream, positions, arguments);
    if (tableRows > 0) {
      stencil
          .edges(hasNulls)
          .ifPresent(
              edges ->
                  edges
                      .kernel()
                      .launch(
                          stream,
                          edges.variant().gridX(mostClippedOutputs(spec)),
                          edges.variant().gridY(tableRows),
                          arguments));
    }
  }

  /** Starts the kernels that write the halos of {@code cells}. */
  void writeHalos(CudaStream stream, GpuStencil stencil, DeviceCells cells) {
    StencilSpec spec = stencil.spec();
    int gridX = PieceKernel.gridX(layout.left() + layout.right());
    int gridY = PieceKernel.gridY(tableRows);
    stencil
        .pieces(PieceKernel.halosOf(spec.type(), spec.boundary()))
        .launch(stream, gridX, gridY, tableArguments().set(KernelParameter.OUTPUT, cells.cells()));
    if (hasNulls) {
      stencil
          .pieces(PieceKernel.validityOf(spec.boundary()))
          .launch(
              stream, gridX, gridY, tableArguments().set(KernelParameter.OUTPUT, cells.validity()));
    }
  }

  private LaunchArguments tableArguments() {
    return new LaunchArguments()
        .set(KernelParameter.PIECES, table)
        .set(KernelParameter.PIECE_COUNT, tableRows)
        .set(KernelParameter.LEFT, layout.left())
        .set(KernelParameter.RIGHT, layout.right());
  }

  private int mostClippedOutputs(StencilSpec spec) {
    int most = 0;
    for (int piece = 0; piece < layout.pieces(); piece++) {
      int clipped = layout.clippedLeft(piece, spec) + layout.clippedRight(piece, spec);
      most = Math.max(most, clipped);
    }
    return most;
  }
}
