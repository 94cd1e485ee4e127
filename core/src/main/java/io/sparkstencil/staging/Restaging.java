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
   * Writes the outputs of all pieces, which are whole series, with their halos.
   *
   * @param batch what was computed: where the pieces lie, and whether validity bytes are copied
   * @param boundary the rule for the halos
   * @param results outputs at the positions that the layout gives
   * @param target another buffer of the same type
   * @return the next batch, which has its cells in {@code target}
   */
  public static StagedBatch restage(
      StagedBatch batch, Boundary boundary, CellBuffer results, CellBuffer target) {
    StagingLayout layout = batch.layout();
    boolean withValidity = batch.hasNulls();
    HeapCellBuffer done = onHeap(results, layout.stagedCells(), withValidity, true);
    HeapCellBuffer staged = onHeap(target, layout.stagedCells(), withValidity, false);
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
      target.write(0, staged.array(), 0, layout.stagedCells());
      if (withValidity) {
        target.writeValidity(0, staged.validity(), 0, layout.stagedCells());
      }
    }
    return new StagedBatch(layout, target, withValidity);
  }

  private static HeapCellBuffer onHeap(
      CellBuffer buffer, int cells, boolean withValidity, boolean copied) {
    if (buffer instanceof HeapCellBuffer heap) {
      return heap;
    }
    HeapCellBuffer copy = new HeapCellBuffer(buffer.type(), cells, withValidity);
    if (copied) {
      buffer.read(0, copy.array(), 0, cells);
      if (withValidity) {
        buffer.readValidity(0, copy.validity(), 0, cells);
      }
    }
    return copy;
  }
}
