/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.grid.Box;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.Runs;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import io.sparkstencil.spark.files.codec.ReadAs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Cells that lie one after another, slowest axis first.
 *
 * @param bytes the file
 * @param offset where the first cell begins
 * @param shape the array's cells along each axis
 * @param format the cells' type and byte order
 */
public record FlatCells(ChunkBytes bytes, long offset, List<Long> shape, CellFormat format)
    implements StoredCells {
  /** Bytes that are read at once. */
  private static final int WINDOW_BYTES = 4 << 20;

  /** Runs this near to each other are read at once: a request costs as much as reading so far. */
  private static final int NEAR_BYTES = 128 << 10;

  @Override
  public Object read(Box box, ReadAs read) throws IOException {
    Object cells = read.type().newArray(box.cells());
    readInto(box, read, cells, 0);
    return cells;
  }

  /** Reads a box of cells into an array, from an index on. */
  void readInto(Box box, ReadAs read, Object cells, int at) throws IOException {
    Runs runs = new Runs(box, shape);
    long runBytes = (long) runs.length() * cellBytes();
    int first = 0;
    while (first < runs.count()) {
      long start = runs.start(first) * cellBytes();
      if (runBytes > WINDOW_BYTES) {
        readLongRun(start, read, cells, at + first * runs.length(), runs.length());
        first++;
        continue;
      }
      int last = lastOfWindow(runs, first, start);
      int count = (int) (runs.start(last) * cellBytes() + runBytes - start);
      ByteBuffer window = bytes.read(offset + start, count);
      for (int run = first; run <= last; run++) {
        int from = window.position() + (int) (runs.start(run) * cellBytes() - start);
        read.meaning()
            .decode(
                format,
                window.slice(from, (int) runBytes),
                cells,
                at + run * runs.length(),
                runs.length());
      }
      first = last + 1;
    }
  }

  private int cellBytes() {
    return format.type().bytes();
  }

  /** Returns the last of the runs that are read at once with the first. */
  private int lastOfWindow(Runs runs, int first, long start) {
    long runBytes = (long) runs.length() * cellBytes();
    int last = first;
    while (last + 1 < runs.count()) {
      long next = runs.start(last + 1) * cellBytes();
      long gap = next - (runs.start(last) * cellBytes() + runBytes);
      if (gap < 0 || gap > NEAR_BYTES || next + runBytes - start > WINDOW_BYTES) {
        break;
      }
      last++;
    }
    return last;
  }

  private void readLongRun(long start, ReadAs read, Object cells, int at, int count)
      throws IOException {
    int most = WINDOW_BYTES / cellBytes();
    for (int done = 0; done < count; ) {
      int part = Math.min(most, count - done);
      long from = offset + start + (long) done * cellBytes();
      read.meaning().decode(format, bytes.read(from, part * cellBytes()), cells, at + done, part);
      done += part;
    }
  }

  @Override
  public long heapBytes() {
    return WINDOW_BYTES;
  }
}
