/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.model.ElementType;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * Copies rows of cells between arrays on the heap and device memory, through two buffers of pinned
 * memory that take turns. Used by one thread.
 */
final class HostCopies implements AutoCloseable {
  private static final long PIECE_BYTES = 4 << 20;

  private final ElementType type;
  private final CudaStream stream;
  private final CloseScope owned = new CloseScope();
  private final Turn[] turns = new Turn[2];
  private final long pieceBytes;
  private int turn;

  /** A buffer and what happens to it when the copies that use it are done. */
  private static final class Turn {
    private final BufferLease<PinnedBuffer> lease;
    private final CudaEvent done;
    private Runnable after = () -> {};

    Turn(BufferLease<PinnedBuffer> lease, CudaEvent done) {
      this.lease = lease;
      this.done = done;
    }

    void await() {
      done.synchronize();
      Runnable last = after;
      after = () -> {};
      last.run();
    }
  }

  /**
   * Leases the buffers.
   *
   * @param mostBytes the largest copy that is to be expected
   */
  HostCopies(ProgramDevice device, CudaStream stream, ElementType type, long mostBytes) {
    this.type = type;
    this.stream = stream;
    pieceBytes = Math.min(PIECE_BYTES, Math.max(mostBytes, 4096));
    try {
      for (int i = 0; i < turns.length; i++) {
        CudaEvent done = owned.add(device.context().newMarker());
        turns[i] = new Turn(owned.add(device.pinned().lease(pieceBytes)), done);
      }
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  /** Returns cells that follow one another in device memory, as bytes. */
  static ByteBuffer read(ProgramDevice device, ElementType type, long address, long bytes) {
    ByteBuffer cells = CellBoxes.buffer(Math.toIntExact(bytes));
    ProgramLane lane = device.takeLane();
    try (HostCopies copies = new HostCopies(device, lane.main(), type, bytes)) {
      copies.copyOut(address, bytes, 1, Math.toIntExact(bytes / type.bytes()), cells, 0);
      copies.finish();
    } finally {
      device.giveBack(lane);
    }
    return cells;
  }

  /**
   * Copies rows that follow one another in an array to device memory. They are there when what was
   * submitted to the stream is done.
   *
   * @param array a {@code float[]}, a {@code double[]}, or a {@link ByteBuffer} of the bytes of
   *     cells, whose position does not matter
   * @param from the first cell in it
   * @param rows the number of rows
   * @param rowCells the cells of a row
   * @param target the address of the first row
   * @param rowBytes bytes from a row to the next
   */
  void copyIn(Object array, long from, long rows, int rowCells, long target, long rowBytes) {
    forEachPiece(
        rows,
        rowCells,
        rowBytes,
        (piece, at) -> {
          Turn next = nextTurn();
          long bytes = piece.bytes();
          ByteBuffer view = next.lease.buffer().view(0, bytes);
          piece.move(array, from, view, true);
          stream.copyIn(next.lease.buffer(), bytes, target + at);
          next.done.record(stream);
        });
  }

  /**
   * Copies rows from device memory to where they follow one another in an array, after what was
   * submitted to the stream. They are there after {@link #finish}.
   */
  void copyOut(long source, long rowBytes, long rows, int rowCells, Object array, long to) {
    forEachPiece(
        rows,
        rowCells,
        rowBytes,
        (piece, at) -> {
          Turn next = nextTurn();
          long bytes = piece.bytes();
          stream.copyOut(source + at, bytes, next.lease.buffer());
          next.done.record(stream);
          next.after = () -> piece.move(array, to, next.lease.buffer().view(0, bytes), false);
        });
  }

  /** Waits until all cells are where they belong. */
  void finish() {
    for (int i = 0; i < turns.length; i++) {
      nextTurn();
    }
  }

  private Turn nextTurn() {
    Cancellation.ask();
    turn = (turn + 1) % turns.length;
    turns[turn].await();
    return turns[turn];
  }

  /** Cells that are copied at once: some rows, or a part of one. */
  private final class Piece {
    private final long first;
    private final int rows;
    private final int rowCells;
    private final long rowBytes;

    Piece(long first, int rows, int rowCells, long rowBytes) {
      this.first = first;
      this.rows = rows;
      this.rowCells = rowCells;
      this.rowBytes = rowBytes;
    }

    long bytes() {
      return (rows - 1L) * rowBytes + (long) rowCells * type.bytes();
    }

    /** Moves the cells between an array and pinned memory. */
    void move(Object array, long start, ByteBuffer pinned, boolean in) {
      boolean dense = rowBytes == (long) rowCells * type.bytes();
      int lines = dense ? 1 : rows;
      int cells = dense ? rows * rowCells : rowCells;
      for (int row = 0; row < lines; row++) {
        int at = Math.toIntExact(start + first + (long) row * cells);
        pinned.position(Math.toIntExact(row * rowBytes));
        if (array instanceof ByteBuffer bytes) {
          ByteBuffer there = bytes.slice(at * type.bytes(), cells * type.bytes());
          ByteBuffer here = pinned.slice(pinned.position(), there.remaining());
          if (in) {
            here.put(there);
          } else {
            there.put(here);
          }
        } else if (array instanceof float[] floats) {
          var view = pinned.slice().order(pinned.order()).asFloatBuffer();
          if (in) {
            view.put(floats, at, cells);
          } else {
            view.get(floats, at, cells);
          }
        } else {
          double[] doubles = (double[]) array;
          var view = pinned.slice().order(pinned.order()).asDoubleBuffer();
          if (in) {
            view.put(doubles, at, cells);
          } else {
            view.get(doubles, at, cells);
          }
        }
      }
    }
  }

  /** Calls with each piece and how many bytes it is behind the first row. */
  private void forEachPiece(long rows, int rowCells, long rowBytes, BiConsumer<Piece, Long> work) {
    int cellsAtOnce = (int) Math.min(rowCells, pieceBytes / type.bytes());
    int rowsAtOnce = cellsAtOnce < rowCells ? 1 : (int) Math.max(1, pieceBytes / rowBytes);
    for (long row = 0; row < rows; row += rowsAtOnce) {
      int count = (int) Math.min(rowsAtOnce, rows - row);
      for (int cell = 0; cell < rowCells; cell += cellsAtOnce) {
        int length = Math.min(cellsAtOnce, rowCells - cell);
        long pitch = length < rowCells ? (long) length * type.bytes() : rowBytes;
        work.accept(
            new Piece(row * rowCells + cell, count, length, pitch),
            row * rowBytes + (long) cell * type.bytes());
      }
    }
  }

  /** Gives the buffers back when the copies that use them are done. */
  @Override
  public void close() {
    try {
      for (Turn each : turns) {
        each.done.synchronize();
      }
    } finally {
      owned.close();
    }
  }
}
