/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.model.Boundary;

/** Makes the results of a batch the cells of the next one: where a stencil is applied again. */
public final class Restaging {
  private Restaging() {}

  /**
   * Writes the outputs of all pieces, which are whole series, into {@code target} with their halos.
   *
   * @param layout where the pieces lie in both buffers
   * @param boundary the rule for the halos
   * @param results outputs at the positions that the layout gives
   * @param withValidity whether validity bytes are copied, too
   * @param target another buffer of the same type
   */
  public static void restage(
      StagingLayout layout,
      Boundary boundary,
      CellBuffer results,
      boolean withValidity,
      CellBuffer target) {
    int cells = layout.stagedCells();
    HeapCellBuffer done =
        results instanceof HeapCellBuffer heap ? heap : onHeap(results, cells, withValidity);
    HeapCellBuffer staged =
        target instanceof HeapCellBuffer heap
            ? heap
            : new HeapCellBuffer(target.type(), cells, withValidity);
    StagingWriter writer = new StagingWriter(target.type(), boundary);
    byte[] validity = withValidity ? done.validity() : null;
    for (int piece = 0; piece < layout.pieces(); piece++) {
      int at = layout.start(piece);
      int count = layout.cells(piece);
      if (count > 0) {
        HeapCells series = new HeapCells(done.array(), validity, done.first() + at, count);
        int stagedCount = layout.left() + count + layout.right();
        writer.write(series, null, null, -layout.left(), stagedCount, staged, at, withValidity);
      }
    }
    if (staged != target) {
      target.write(0, staged.array(), 0, cells);
      if (withValidity) {
        target.writeValidity(0, staged.validity(), 0, cells);
      }
    }
  }

  private static HeapCellBuffer onHeap(CellBuffer buffer, int cells, boolean withValidity) {
    HeapCellBuffer copy = new HeapCellBuffer(buffer.type(), cells, withValidity);
    buffer.read(0, copy.array(), 0, cells);
    if (withValidity) {
      buffer.readValidity(0, copy.validity(), 0, cells);
    }
    return copy;
  }
}
