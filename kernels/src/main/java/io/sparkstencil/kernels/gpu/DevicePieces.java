/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagingLayout;

/**
 * Pieces staged in device memory, over which stencils run.
 *
 * @param stream where they run
 * @param kernels loaded and kept by the lane
 * @param layout where the pieces lie
 * @param hasNulls whether they have validity bytes
 * @param table device address of the rows for kernels that go piece by piece: start, cells,
 *     missingLeft, missingRight
 * @param tableRows how many; all pieces that have cells if more than one step is run, else those
 *     with missing cells
 */
record DevicePieces(
    CudaStream stream,
    HeldKernels kernels,
    StagingLayout layout,
    boolean hasNulls,
    long table,
    int tableRows) {
  /**
   * Returns the positions of a launch: the frames of later ones would run past the staged cells.
   */
  static int positions(StagingLayout layout) {
    return layout.stagedCells() - layout.left() - layout.right();
  }

  /**
   * Starts {@code steps} applications, the results of each becoming the cells of the next where
   * they are; both places are overwritten unless it is one step.
   *
   * @return where the results of the last step are: one of the two places
   */
  DeviceCells run(GpuStencil stencil, DeviceCells input, DeviceCells output, int steps) {
    StencilSpec spec = stencil.spec();
    int shift = layout.left() - spec.frame().preceding();
    LoadedKernel bulk = stencil.bulk(kernels, shift, hasNulls);
    EdgeVariant edges = tableRows > 0 ? EdgeVariant.of(spec, hasNulls).orElse(null) : null;
    int mostClipped = edges == null ? 0 : mostClippedOutputs(spec);
    DeviceCells from = input;
    DeviceCells to = output;
    for (int step = 1; ; step++) {
      // Shifted by the left halo, an output lies where the layout has the cell.
      DeviceCells target = step == steps ? to : to.after(layout.left(), spec.type().bytes());
      LaunchArguments arguments = arguments(spec, shift, from, target);
      bulk.launch(stream, positions(layout), arguments);
      if (edges != null) {
        LoadedKernel corrects = kernels.get(edges);
        corrects.launch(stream, edges.gridX(mostClipped), edges.gridY(tableRows), arguments);
      }
      if (step == steps) {
        return to;
      }
      Cancellation.ask();
      writeHalos(spec, to);
      DeviceCells free = from;
      from = to;
      to = free;
    }
  }

  private LaunchArguments arguments(
      StencilSpec spec, int shift, DeviceCells input, DeviceCells output) {
    return tableArguments()
        .set(KernelParameter.INPUT, input.cells())
        .set(KernelParameter.OUTPUT, output.cells())
        .set(KernelParameter.INPUT_VALIDITY, input.validity())
        .set(KernelParameter.OUTPUT_VALIDITY, output.validity())
        .set(KernelParameter.STAGED_CELLS, layout.stagedCells())
        .set(KernelParameter.POSITIONS, positions(layout))
        .set(KernelParameter.SHIFT, shift)
        .set(KernelParameter.PRECEDING, spec.frame().preceding())
        .set(KernelParameter.FOLLOWING, spec.frame().following());
  }

  /** Starts the kernels that write the halos of {@code cells}. */
  void writeHalos(StencilSpec spec, DeviceCells cells) {
    writeHalos(PieceKernel.halosOf(spec.type(), spec.boundary()), cells.cells());
    if (hasNulls) {
      writeHalos(PieceKernel.validityOf(spec.boundary()), cells.validity());
    }
  }

  private void writeHalos(PieceKernel.Halos halos, long target) {
    kernels
        .get(halos)
        .launch(
            stream,
            PieceKernel.gridX(layout.left() + layout.right()),
            PieceKernel.gridY(tableRows),
            tableArguments().set(KernelParameter.OUTPUT, target));
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
