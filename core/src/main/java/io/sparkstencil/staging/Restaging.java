/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;

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
    HeapCellBuffer staged =
        target instanceof HeapCellBuffer heap
            ? heap
            : new HeapCellBuffer(target.type(), layout.stagedCells(), withValidity);
    for (int piece = 0; piece < layout.pieces(); piece++) {
      int cells = layout.cells(piece);
      int from = layout.start(piece);
      int at = from + layout.left();
      results.read(from, staged.array(), at, cells);
      if (withValidity) {
        results.readValidity(from, staged.validity(), at, cells);
      }
      if (cells > 0) {
        writeHalo(boundary, staged, at, cells, -layout.left(), layout.left(), withValidity);
        writeHalo(boundary, staged, at, cells, cells, layout.right(), withValidity);
      }
    }
    if (staged != target) {
      target.write(0, staged.array(), 0, layout.stagedCells());
      if (withValidity) {
        target.writeValidity(0, staged.validity(), 0, layout.stagedCells());
      }
    }
  }

  /** Writes {@code count} cells from {@code index} on of the series that begins {@code at}. */
  private static void writeHalo(
      Boundary boundary,
      HeapCellBuffer staged,
      int at,
      int cells,
      int index,
      int count,
      boolean withValidity) {
    if (!boundary.copiesCells()) {
      staged.fill(at + index, count, boundary.leavesMissing() ? 0 : boundary.constant());
      if (withValidity) {
        staged.fillValidity(at + index, count, (byte) (boundary.leavesMissing() ? 0 : 1));
      }
      return;
    }
    for (int i = index; i < index + count; i++) {
      int source = at + (int) boundary.sourceIndex(i, cells);
      copyCell(staged.type(), staged.array(), source, at + i);
      if (withValidity) {
        staged.validity()[at + i] = staged.validity()[source];
      }
    }
  }

  private static void copyCell(ElementType type, Object array, int from, int to) {
    switch (type) {
      case F32 -> ((float[]) array)[to] = ((float[]) array)[from];
      case F64 -> ((double[]) array)[to] = ((double[]) array)[from];
      case I32 -> ((int[]) array)[to] = ((int[]) array)[from];
      case I64 -> ((long[]) array)[to] = ((long[]) array)[from];
    }
  }
}
