/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.codegen.move.ValidityKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.staging.StagingLayout;

/**
 * The way of arrays that are on the device: staged with their halos, through the stencil, and back
 * to one after the other.
 *
 * @param stream where it runs
 * @param kernels loaded and kept by the lane
 * @param stencil what runs
 * @param arrays where everything lies
 * @param scratch device address of the memory it works in, with the tables written
 */
record DeviceArrayRun(
    CudaStream stream, HeldKernels kernels, GpuStencil stencil, DeviceArrays arrays, long scratch) {
  /** Starts everything; {@code source} and {@code results} have bits for validity. */
  void run(DeviceCells source, DeviceCells results) {
    int bytes = arrays.spec().type().bytes();
    DeviceCells staged = arrays.staged(scratch, 0);
    copy(bytes, 1, source.cells(), staged.cells());
    if (arrays.hasNulls()) {
      int last = arrays.firstCell() + arrays.cells();
      long expanded = arrays.expanded(scratch);
      convert(ValidityKernel.Task.EXPAND, source.validity(), expanded, last);
      copy(1, 1, expanded, staged.validity());
    }
    StagingLayout layout = arrays.layout();
    DevicePieces pieces =
        new DevicePieces(layout, arrays.hasNulls(), arrays.table(scratch, 0), layout.pieces());
    pieces.writeHalos(stream, kernels, stencil.spec(), staged);
    DeviceCells done =
        pieces.run(stream, kernels, stencil, staged, arrays.staged(scratch, 1), arrays.steps());
    copy(bytes, 2, done.cells(), results.cells());
    if (arrays.hasNulls()) {
      long expanded = arrays.expanded(scratch);
      copy(1, 2, done.validity(), expanded);
      convert(ValidityKernel.Task.COMPRESS, expanded, results.validity(), arrays.results());
    }
  }

  private void copy(int bytes, int table, long from, long to) {
    int pieces = arrays.layout().pieces();
    kernels
        .get(new PieceKernel.Copy(bytes))
        .launch(
            stream,
            PieceKernel.gridX(arrays.mostCells()),
            PieceKernel.gridY(pieces),
            new LaunchArguments()
                .set(KernelParameter.INPUT, from)
                .set(KernelParameter.OUTPUT, to)
                .set(KernelParameter.PIECES, arrays.table(scratch, table))
                .set(KernelParameter.PIECE_COUNT, pieces));
  }

  private void convert(ValidityKernel.Task task, long from, long to, int cells) {
    if (cells > 0) {
      kernels
          .get(task)
          .launch(
              stream,
              cells,
              new LaunchArguments()
                  .set(KernelParameter.INPUT, from)
                  .set(KernelParameter.OUTPUT, to)
                  .set(KernelParameter.POSITIONS, cells));
    }
  }
}
