/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.codegen.move.ValidityKernel;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.launch.LoadedKernel;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagingLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Arrays that lie one after the other in device memory, as columnar formats have them, where they
 * and their results go while a stencil runs, and the way there: staged with their halos, through
 * the stencil, and back to one after the other. Immutable.
 *
 * <pre>
 *   scratch memory   | cells | validity | cells | validity | expanded validity | tables |
 * </pre>
 */
public final class DeviceArrays {
  private static final int TABLES = 3;

  private final StencilSpec spec;
  private final int steps;
  private final boolean hasNulls;
  private final int[] offsets;
  private final int[] resultOffsets;
  private final int cutLeft;
  private final StagingLayout layout;
  private final int mostCells;
  private final List<DeviceCells> staged;
  private final long expandedOffset;
  private final long tablesOffset;
  private final long scratchBytes;

  /**
   * Lays arrays out.
   *
   * @param spec what is to run, under a boundary other than valid
   * @param steps how often
   * @param hasNulls whether cells have validity bits
   * @param offsets array {@code i} is cells {@code [offsets[i], offsets[i + 1])}; kept
   * @param cutLeft results that are cut off each array on the left
   * @param cutRight results that are cut off each array on the right
   * @throws DeviceOutOfMemoryException if they are too many to be staged with their halos at once
   */
  public DeviceArrays(
      StencilSpec spec, int steps, boolean hasNulls, int[] offsets, int cutLeft, int cutRight) {
    this.spec = spec;
    this.steps = steps;
    this.hasNulls = hasNulls;
    this.offsets = offsets;
    this.cutLeft = cutLeft;
    this.resultOffsets = new int[offsets.length];
    this.layout = StagingLayout.ofFrames(List.of(spec), Lane.STEP_ALIGNMENT_CELLS);
    boolean missing = spec.boundary().leavesMissing();
    int most = 0;
    for (int i = 0; i + 1 < offsets.length; i++) {
      int cells = offsets[i + 1] - offsets[i];
      if (cells > 0) {
        requireRoom(cells);
        layout.add(cells, missing ? layout.left() : 0, missing ? layout.right() : 0);
      }
      most = Math.max(most, cells);
      long results = Math.max(0, (long) cells - cutLeft - cutRight);
      resultOffsets[i + 1] = (int) (resultOffsets[i] + results);
    }
    this.mostCells = most;
    DeviceParts parts = new DeviceParts();
    this.staged =
        List.of(
            parts.addCells(spec.type(), layout.stagedCells(), hasNulls),
            parts.addCells(spec.type(), layout.stagedCells(), hasNulls));
    this.expandedOffset = parts.add(hasNulls ? offsets[offsets.length - 1] : 0);
    this.tablesOffset = parts.add(allTablesBytes());
    this.scratchBytes = parts.bytes();
  }

  private void requireRoom(int cells) {
    long staged = (long) layout.stagedCells() + layout.left() + cells + layout.right();
    if (staged > Integer.MAX_VALUE) {
      throw new DeviceOutOfMemoryException(
          "%d arrays with %d and %d cells beside each are more than the %d cells that can be staged at once; use smaller batches of arrays"
              .formatted(offsets.length - 1, layout.left(), layout.right(), Integer.MAX_VALUE));
    }
  }

  /** Returns where the results of each array begin, one after the other; borrowed. */
  public int[] resultOffsets() {
    return resultOffsets;
  }

  /** Returns the number of results of all arrays. */
  public int results() {
    return resultOffsets[resultOffsets.length - 1];
  }

  /** Returns the bytes of device memory that a run works in. */
  public long scratchBytes() {
    return scratchBytes;
  }

  /** Returns what is to run. */
  StencilSpec spec() {
    return spec;
  }

  /** Returns how they are staged; arrays without cells are not. */
  StagingLayout layout() {
    return layout;
  }

  private long tableBytes() {
    return (long) layout.pieces() * DeviceParts.PIECE_BYTES;
  }

  /** Returns where table 0 (pieces), 1 (copies in) or 2 (copies out) is. */
  long table(long scratch, int table) {
    return scratch + tablesOffset + table * tableBytes();
  }

  long allTablesBytes() {
    return TABLES * tableBytes();
  }

  /** Writes the three tables, one after the other. */
  void writeTables(ByteBuffer target) {
    for (int piece = 0; piece < layout.pieces(); piece++) {
      DeviceParts.putRow(target, layout, piece);
    }
    for (int table = 1; table < TABLES; table++) {
      int piece = 0;
      for (int i = 0; i + 1 < offsets.length; i++) {
        int cells = offsets[i + 1] - offsets[i];
        if (cells == 0) {
          continue;
        }
        int start = layout.start(piece++);
        if (table == 1) {
          target.putInt(offsets[i]).putInt(start + layout.left()).putInt(cells).putInt(0);
        } else {
          int results = resultOffsets[i + 1] - resultOffsets[i];
          target.putInt(start + cutLeft).putInt(resultOffsets[i]).putInt(results).putInt(0);
        }
      }
    }
  }

  /**
   * Starts everything; {@code source} and {@code results} have bits for validity.
   *
   * @param stream where it runs
   * @param kernels loaded and kept by the lane
   * @param stencil what runs
   * @param scratch device address of the memory it works in, with the tables written
   */
  void run(
      CudaStream stream,
      HeldKernels kernels,
      GpuStencil stencil,
      long scratch,
      DeviceCells source,
      DeviceCells results) {
    int bytes = spec.type().bytes();
    long expanded = scratch + expandedOffset;
    DeviceCells input = staged.get(0).in(scratch);
    LoadedKernel copyCells = kernels.get(new PieceKernel.Copy(bytes));
    copy(copyCells, stream, table(scratch, 1), source.cells(), input.cells());
    if (hasNulls) {
      int last = offsets[offsets.length - 1];
      convert(kernels.get(ValidityKernel.Task.EXPAND), stream, source.validity(), expanded, last);
      LoadedKernel copyBytes = kernels.get(new PieceKernel.Copy(1));
      copy(copyBytes, stream, table(scratch, 1), expanded, input.validity());
    }
    DevicePieces pieces =
        new DevicePieces(stream, kernels, layout, hasNulls, table(scratch, 0), layout.pieces());
    pieces.writeHalos(spec, input);
    DeviceCells done = pieces.run(stencil, input, staged.get(1).in(scratch), steps);
    copy(copyCells, stream, table(scratch, 2), done.cells(), results.cells());
    if (hasNulls) {
      LoadedKernel copyBytes = kernels.get(new PieceKernel.Copy(1));
      copy(copyBytes, stream, table(scratch, 2), done.validity(), expanded);
      LoadedKernel compress = kernels.get(ValidityKernel.Task.COMPRESS);
      convert(compress, stream, expanded, results.validity(), results());
    }
  }

  private void copy(LoadedKernel kernel, CudaStream stream, long table, long from, long to) {
    kernel.launch(
        stream,
        PieceKernel.gridX(mostCells),
        PieceKernel.gridY(layout.pieces()),
        new LaunchArguments()
            .set(KernelParameter.INPUT, from)
            .set(KernelParameter.OUTPUT, to)
            .set(KernelParameter.PIECES, table)
            .set(KernelParameter.PIECE_COUNT, layout.pieces()));
  }

  private static void convert(
      LoadedKernel kernel, CudaStream stream, long from, long to, int cells) {
    if (cells > 0) {
      LaunchArguments arguments =
          new LaunchArguments()
              .set(KernelParameter.INPUT, from)
              .set(KernelParameter.OUTPUT, to)
              .set(KernelParameter.POSITIONS, cells);
      kernel.launch(stream, cells, arguments);
    }
  }
}
