/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;

/** One stencil over one batch: walks outputs and frames; arithmetic is the subclass's. */
abstract class ScalarReference {
  private static final int NONE = -1;

  private final StencilSpec spec;
  private final StagingLayout layout;
  private final byte[] inputValidity; // null if no cell is null
  private final byte[] outputValidity; // null if no cell is null
  private int chosen; // staged position of the least or greatest cell so far

  ScalarReference(StencilSpec spec, StagedBatch input, HeapCellBuffer output) {
    this.spec = spec;
    this.layout = input.layout();
    this.inputValidity = input.hasNulls() ? ((HeapCellBuffer) input.cells()).validity() : null;
    this.outputValidity = input.hasNulls() ? output.validity() : null;
  }

  /** Makes the sum 0. */
  abstract void clearSum();

  /** Adds the cell at staged position {@code position} to the sum. */
  abstract void add(int position);

  /** Adds the cell times {@code weight} to the sum. */
  abstract void addWeighted(int position, double weight);

  /** Tells whether the cell at {@code position} sorts strictly before that at {@code other}. */
  abstract boolean less(int position, int other);

  /** Writes the sum as output {@code position}. */
  abstract void writeSum(int position);

  /** Writes the sum divided by {@code counted}, which is above 0. */
  abstract void writeMean(int position, int counted);

  /** Writes the cell at staged position {@code chosen}. */
  abstract void writeCell(int position, int chosen);

  /** Writes a number of cells. */
  abstract void writeCount(int position, int counted);

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
    clearSum();
    chosen = NONE;
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

  /** Takes the cell at staged position {@code position}, which is tap {@code tap} of the frame. */
  private void take(int position, int tap) {
    switch (spec.reduction()) {
      case SUM, MEAN -> add(position);
      case WEIGHTED_SUM -> addWeighted(position, spec.stencil().weights().get(tap));
      case MIN -> chosen = chosen == NONE || less(position, chosen) ? position : chosen;
      case MAX -> chosen = chosen == NONE || less(chosen, position) ? position : chosen;
      case COUNT -> {
        // The caller counts.
      }
    }
  }

  private void write(int position, int counted) {
    if (counted == 0) {
      writeCount(position, 0); // what is written where there is nothing
      return;
    }
    switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> writeSum(position);
      case MEAN -> writeMean(position, counted);
      case MIN, MAX -> writeCell(position, chosen);
      case COUNT -> writeCount(position, counted);
    }
  }
}
