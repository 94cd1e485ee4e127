/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PooledBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One batch in flight: the marker at its end, and the device memory it works in. */
final class DeviceSlot implements AutoCloseable {
  private final BufferPool<PinnedBuffer> pinned;
  private final BufferPool<DeviceBuffer> memory;
  private final DeviceStreams.Shared shared;
  private final CudaStream stream;
  private final HeldKernels kernels;
  private final CudaEvent done;
  private final BatchClock clock;
  private BufferLease<DeviceBuffer> workspace;
  private BufferLease<PinnedBuffer> table;
  private long deviceBytes; // of the largest workspace so far
  private long submitted; // batches so far
  private boolean inFlight;

  DeviceSlot(
      PrimaryContext context,
      BufferPool<PinnedBuffer> pinned,
      BufferPool<DeviceBuffer> memory,
      DeviceStreams.Shared shared,
      HeldKernels kernels) {
    this.kernels = kernels;
    this.pinned = pinned;
    this.memory = memory;
    this.shared = shared;
    this.stream = shared.stream;
    this.done = context.newMarker();
    this.clock = new BatchClock(context);
  }

  /** Returns the device's time for the batches that are done. */
  DeviceTimes times() {
    return clock.estimate();
  }

  /** Returns the most device memory that this has had, in bytes. */
  long deviceBytes() {
    return deviceBytes;
  }

  /** Waits until the last batch that was copied in is done. */
  void awaitIdle() {
    if (inFlight) {
      inFlight = false;
      done.synchronize();
      clock.end();
    }
  }

  /** Waits until all that was submitted is done. */
  void drain() {
    awaitIdle();
    done.synchronize();
  }

  /**
   * Starts a batch; it ends after those that were submitted to the stream before. More than one
   * step is for one stencil over whole series.
   */
  Completion submit(
      StagedBatch batch,
      PinnedCellBuffer input,
      List<GpuStencil> stencils,
      List<PinnedCellBuffer> outputs,
      int steps) {
    boolean edges =
        stencils.stream().anyMatch(s -> EdgeVariant.of(s.spec(), batch.hasNulls()).isPresent());
    int tableRows = edges || steps > 1 ? tabulate(batch.layout(), steps > 1) : 0;
    ElementType type = batch.cells().type();
    DeviceParts parts = new DeviceParts();
    DeviceCells cellsPart = parts.addCells(type, batch.layout().stagedCells(), batch.hasNulls());
    long tablePart = parts.add((long) tableRows * DeviceParts.PIECE_BYTES);
    List<DeviceCells> resultParts =
        stencils.stream()
            .map(s -> parts.addCells(type, batch.layout().stagedCells(), batch.hasNulls()))
            .toList();
    long base = workspace(parts.bytes());
    DeviceCells cells = cellsPart.in(base);
    long tableAt = base + tablePart;
    DevicePieces pieces =
        new DevicePieces(stream, kernels, batch.layout(), batch.hasNulls(), tableAt, tableRows);
    List<DeviceCells> results = new ArrayList<>();
    clock.begin(batch.layout().stagedCells());
    try {
      // Copies of one batch stay together: a copy engine is slowed by changing from one to another.
      synchronized (shared) {
        clock.mark(stream);
        copyIn(batch, input, cells, tableAt, tableRows);
        clock.mark(stream);
        for (int k = 0; k < stencils.size(); k++) {
          DeviceCells result = resultParts.get(k).in(base);
          results.add(pieces.run(stencils.get(k), cells, result, steps));
        }
        clock.mark(stream);
        for (int k = 0; k < stencils.size(); k++) {
          copyOut(batch, outputs.get(k), results.get(k));
        }
        clock.mark(stream);
        done.record(stream);
      }
    } catch (RuntimeException | Error e) {
      awaitWhatWasSubmitted(e);
      throw e;
    } finally {
      input.inUseUntil(done);
      outputs.forEach(output -> output.inUseUntil(done));
    }
    return completion();
  }

  /**
   * Starts a stencil over arrays on the device.
   *
   * @param source the cells, and the bits of their validity
   * @param results where the results go, and the bits of theirs
   * @param scratch device address of as many bytes as the arrays ask for
   */
  Completion submitArrays(
      GpuStencil stencil,
      DeviceArrays arrays,
      DeviceCells source,
      DeviceCells results,
      long scratch) {
    arrays.writeTables(tableFor(arrays.allTablesBytes()));
    clock.begin(arrays.layout().stagedCells());
    try {
      synchronized (shared) {
        clock.mark(stream);
        stream.copyIn(table.buffer(), arrays.allTablesBytes(), arrays.table(scratch, 0));
        clock.mark(stream);
        arrays.run(stream, kernels, stencil, scratch, source, results);
        clock.mark(stream);
        clock.mark(stream); // nothing is copied out
        done.record(stream);
      }
    } catch (RuntimeException | Error e) {
      awaitWhatWasSubmitted(e);
      throw e;
    }
    return completion();
  }

  /**
   * Waits after a call has failed: what was submitted before it still reads and writes buffers that
   * the caller will use for something else.
   */
  private void awaitWhatWasSubmitted(Throwable failure) {
    try {
      done.record(stream);
      done.synchronize();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** The end of this batch; a slot waits for it before it takes the next. */
  private Completion completion() {
    inFlight = true;
    long mine = ++submitted;
    return () -> {
      if (mine == submitted) {
        awaitIdle();
      }
    };
  }

  /** Returns the address of at least {@code bytes} of device memory. */
  private long workspace(long bytes) {
    workspace = atLeast(bytes, workspace, memory);
    deviceBytes = Math.max(deviceBytes, workspace.buffer().bytes());
    return workspace.buffer().address();
  }

  private static <B extends PooledBuffer> BufferLease<B> atLeast(
      long bytes, BufferLease<B> held, BufferPool<B> pool) {
    if (held != null && held.holds(bytes)) {
      return held;
    }
    if (held != null) {
      held.close();
    }
    return pool.lease(bytes);
  }

  /** Writes the pieces that have missing cells, or all that have cells; returns how many. */
  private int tabulate(StagingLayout layout, boolean all) {
    int rows = 0;
    ByteBuffer view = null;
    for (int piece = 0; piece < layout.pieces(); piece++) {
      if (layout.cells(piece) == 0
          || (!all && layout.missingLeft(piece) == 0 && layout.missingRight(piece) == 0)) {
        continue;
      }
      if (view == null) {
        view = tableFor((long) layout.pieces() * DeviceParts.PIECE_BYTES);
      }
      DeviceParts.putRow(view, layout, piece);
      rows++;
    }
    return rows;
  }

  private ByteBuffer tableFor(long bytes) {
    table = atLeast(bytes, table, pinned);
    return table.buffer().view(0, bytes);
  }

  private void copyIn(
      StagedBatch batch, PinnedCellBuffer input, DeviceCells target, long tableAt, int tableRows) {
    int cells = batch.layout().stagedCells();
    stream.copyIn(input.pinnedCells(), (long) cells * input.type().bytes(), target.cells());
    if (batch.hasNulls()) {
      stream.copyIn(input.pinnedValidity(), cells, target.validity());
    }
    if (tableRows > 0) {
      stream.copyIn(table.buffer(), (long) tableRows * DeviceParts.PIECE_BYTES, tableAt);
    }
  }

  private void copyOut(StagedBatch batch, PinnedCellBuffer output, DeviceCells results) {
    int positions = DevicePieces.positions(batch.layout());
    stream.copyOut(results.cells(), (long) positions * output.type().bytes(), output.pinnedCells());
    if (batch.hasNulls()) {
      stream.copyOut(results.validity(), positions, output.pinnedValidity());
    }
  }

  @Override
  public void close() {
    if (workspace != null) {
      workspace.close();
    }
    if (table != null) {
      table.close();
    }
    clock.close();
    done.close();
  }
}
