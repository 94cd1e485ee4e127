/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
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
 * @param layout where they lie
 * @param hasNulls whether they have validity bytes
 * @param table device address of the rows for kernels that go piece by piece: start, cells,
 *     missingLeft, missingRight
 * @param tableRows how many; all pieces that have cells if more than one step is run, else those
 *     with missing cells
 */
record DevicePieces(StagingLayout layout, boolean hasNulls, long table, int tableRows) {
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
  DeviceCells run(
      CudaStream stream,
      HeldKernels kernels,
      GpuStencil stencil,
      DeviceCells input,
      DeviceCells output,
      int steps) {
    Application application = new Application(stream, kernels, stencil);
    HaloWriter halos = steps > 1 ? new HaloWriter(stream, kernels, stencil.spec()) : null;
    DeviceCells from = input;
    DeviceCells to = output;
    for (int step = 1; step < steps; step++) {
      // Shifted by the left halo, an output lies where the layout has the cell.
      application.start(from, to.after(layout.left(), stencil.spec().type().bytes()));
      halos.start(to);
      DeviceCells free = from;
      from = to;
      to = free;
    }
    application.start(from, to);
    return to;
  }

  /** Starts the kernels that write the halos of {@code cells}. */
  void writeHalos(CudaStream stream, HeldKernels kernels, StencilSpec spec, DeviceCells cells) {
    new HaloWriter(stream, kernels, spec).start(cells);
  }

  /** The kernels of one application of a stencil, found once for all steps. */
  private final class Application {
    private final CudaStream stream;
    private final StencilSpec spec;
    private final int shift;
    private final LoadedKernel bulk;
    private final EdgeVariant edges; // null where there is nothing to correct
    private final LoadedKernel edgeKernel;
    private final int mostClippedOutputs;

    Application(CudaStream stream, HeldKernels kernels, GpuStencil stencil) {
      this.stream = stream;
      this.spec = stencil.spec();
      this.shift = layout.left() - spec.frame().preceding();
      this.bulk = stencil.bulk(kernels, shift, hasNulls);
      this.edges = tableRows > 0 ? stencil.edges(hasNulls).orElse(null) : null;
      this.edgeKernel = edges == null ? null : kernels.get(edges);
      this.mostClippedOutputs = edges == null ? 0 : mostClippedOutputs(spec);
    }

    void start(DeviceCells input, DeviceCells output) {
      LaunchArguments arguments = arguments(input, output);
      bulk.launch(stream, positions(layout), arguments);
      if (edges != null) {
        edgeKernel.launch(
            stream, edges.gridX(mostClippedOutputs), edges.gridY(tableRows), arguments);
      }
    }

    private LaunchArguments arguments(DeviceCells input, DeviceCells output) {
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
  }

  /** The kernels that write halos. */
  private final class HaloWriter {
    private final CudaStream stream;
    private final LoadedKernel cells;
    private final LoadedKernel validity; // null without nulls

    HaloWriter(CudaStream stream, HeldKernels kernels, StencilSpec spec) {
      this.stream = stream;
      this.cells = kernels.get(PieceKernel.halosOf(spec.type(), spec.boundary()));
      this.validity = hasNulls ? kernels.get(PieceKernel.validityOf(spec.boundary())) : null;
    }

    void start(DeviceCells target) {
      start(cells, target.cells());
      if (validity != null) {
        start(validity, target.validity());
      }
    }

    private void start(LoadedKernel kernel, long target) {
      kernel.launch(
          stream,
          PieceKernel.gridX(layout.left() + layout.right()),
          PieceKernel.gridY(tableRows),
          tableArguments().set(KernelParameter.OUTPUT, target));
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
