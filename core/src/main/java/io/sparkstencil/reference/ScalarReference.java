/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.HeapCellBuffer;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;

/** One stencil over one batch: walks outputs and frames; arithmetic is the subclass's. */
abstract class ScalarReference {
  final StencilSpec spec;
  private final StagingLayout layout;
  private final byte[] inputValidity; // null if no cell is null
  private final byte[] outputValidity; // null if no cell is null

  ScalarReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    this.spec = spec;
    this.layout = input.layout();
    this.inputValidity = input.hasNulls() ? ((HeapCellBuffer) input.cells()).validity() : null;
    this.outputValidity = input.hasNulls() ? output.validity() : null;
  }

  /** Forgets the frame before. */
  abstract void begin();

  /** Takes the cell at staged position {@code position}, which is tap {@code tap} of the frame. */
  abstract void take(int position, int tap);

  /** Writes the value of a frame of which {@code counted} cells were taken. */
  abstract void write(int position, int counted);

  final void run() {
    for (int piece = 0; piece < layout.pieces(); piece++) {
      for (int i = 0; i < layout.cells(piece); i++) {
        runOutput(piece, i);
      }
    }
  }

  private void runOutput(int piece, int i) {
    int start = layout.start(piece);
    int firstPresent = start + layout.missingLeft(piece);
    int endPresent =
        start + layout.left() + layout.cells(piece) + layout.right() - layout.missingRight(piece);
    int frameFirst = start + layout.left() + i - spec.frame().preceding();
    int frameEnd = start + layout.left() + i + spec.frame().following() + 1;
    int first = Math.max(frameFirst, firstPresent);
    int end = Math.min(frameEnd, endPresent);
    int counted = 0;
    boolean hasNull = false;
    begin();
    for (int position = first; position < end; position++) {
      if (inputValidity != null && inputValidity[position] == 0) {
        hasNull = true;
      } else {
        take(position, position - frameFirst);
        counted++;
      }
    }
    write(start + i, counted);
    if (outputValidity != null) {
      boolean whole = first == frameFirst && end == frameEnd;
      boolean valid =
          (counted > 0 || spec.reduction() == Reduction.COUNT)
              && (spec.reduction().skipsNulls() || !hasNull)
              && (whole || spec.boundary().mode() != Boundary.Mode.VALID);
      outputValidity[start + i] = valid ? (byte) 1 : 0;
    }
  }
}
