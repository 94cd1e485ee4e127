/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagingLayout;
import java.nio.ByteBuffer;

/** Parts of one piece of device memory, one after the other, each on a boundary of 256 bytes. */
final class DeviceParts {
  /** Bytes of one row of a piece table: start, cells, missingLeft, missingRight. */
  static final int PIECE_BYTES = 16;

  private static final long ALIGNMENT = 256;

  private long end;

  /** Returns the offset of a new part. */
  long add(long bytes) {
    long offset = end;
    end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return offset;
  }

  /** Returns the offsets of cells, and of as many validity bytes if there can be nulls. */
  DeviceCells addCells(ElementType type, int cells, boolean hasNulls) {
    return new DeviceCells(add((long) cells * type.bytes()), add(hasNulls ? cells : 0));
  }

  /** Writes the row of a piece. */
  static void putRow(ByteBuffer table, StagingLayout layout, int piece) {
    table
        .putInt(layout.start(piece))
        .putInt(layout.cells(piece))
        .putInt(layout.missingLeft(piece))
        .putInt(layout.missingRight(piece));
  }

  /** Returns the bytes of all parts. */
  long bytes() {
    return end;
  }
}
