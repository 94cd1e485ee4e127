/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagingLayout;
import java.util.Arrays;

/** The number of cells in each frame that are neither missing nor null, for consecutive outputs. */
public final class FrameCounts {
  private int[] counts = new int[0];

  /** Sets the counts of {@code n} outputs to 0. */
  public void begin(int n) {
    reserve(n);
    Arrays.fill(counts, 0, n, 0);
  }

  /** Adds the counts of cells by their validity; frame {@code i} begins at {@code from + i}. */
  public void addNulls(byte[] validity, int from, int width, int n) {
    int count = 0;
    for (int t = 0; t < width - 1; t++) {
      count += validity[from + t];
    }
    for (int i = 0; i < n; i++) {
      count += validity[from + i + width - 1];
      counts[i] += count;
      count -= validity[from + i];
    }
  }

  /** Counts the cells of outputs {@code [from, to)} of a piece that are not missing. */
  public void ofEdges(StagingLayout layout, StencilSpec spec, int piece, int from, int to) {
    reserve(to - from);
    for (int position = from; position < to; position++) {
      counts[position - from] = present(layout, spec, piece, position);
    }
  }

  private static int present(StagingLayout layout, StencilSpec spec, int piece, int position) {
    int start = layout.start(piece);
    int stagedCells = layout.left() + layout.cells(piece) + layout.right();
    int current = position + layout.left();
    int first = Math.max(current - spec.frame().preceding(), start + layout.missingLeft(piece));
    int last =
        Math.min(
            current + spec.frame().following(),
            start + stagedCells - layout.missingRight(piece) - 1);
    return Math.max(0, last - first + 1);
  }

  private void reserve(int n) {
    if (counts.length < n) {
      counts = new int[n];
    }
  }

  /**
   * Turns the values that a pass has left from {@code y[at]} on into results: sums into means,
   * counts into cells, and 0 where no cell counted.
   */
  public void finish(CellPasses passes, Reduction reduction, Object y, int at, int n) {
    switch (reduction) {
      case MEAN -> passes.divide(y, at, n, counts);
      case MIN, MAX -> passes.clearWhereNone(y, at, n, counts);
      case COUNT -> passes.copyCounts(y, at, n, counts);
      case SUM, WEIGHTED_SUM -> {
        // An empty sum is already 0.
      }
    }
  }

  /** Writes validity for the outputs of pieces at positions {@code [from, to)}, from the counts. */
  public void writeValidity(
      StagingLayout layout,
      StencilSpec spec,
      int from,
      int to,
      int firstPiece,
      int lastPiece,
      byte[] validity) {
    for (int piece = firstPiece; piece <= lastPiece; piece++) {
      int start = Math.max(from, layout.start(piece));
      int end = Math.min(to, layout.start(piece) + layout.cells(piece));
      writeValidity(spec, from, start, end, validity);
      int wholeFrom = layout.start(piece) + layout.clippedLeft(piece, spec);
      int wholeTo = layout.start(piece) + layout.cells(piece) - layout.clippedRight(piece, spec);
      clip(layout, spec, piece, start, Math.min(end, wholeFrom), from, validity);
      clip(layout, spec, piece, Math.max(start, wholeTo), end, from, validity);
    }
  }

  /** Writes validity for outputs {@code [start, end)} of whole frames; counts begin at from. */
  public void writeValidity(StencilSpec spec, int from, int start, int end, byte[] validity) {
    boolean always = spec.reduction() == Reduction.COUNT;
    int least = spec.reduction().skipsNulls() ? 1 : spec.frame().width();
    for (int position = start; position < end; position++) {
      validity[position] = always || counts[position - from] >= least ? (byte) 1 : 0;
    }
  }

  private void clip(
      StagingLayout layout,
      StencilSpec spec,
      int piece,
      int start,
      int end,
      int from,
      byte[] validity) {
    if (start >= end) {
      return;
    }
    if (spec.boundary().mode() == Boundary.Mode.VALID) {
      Arrays.fill(validity, start, end, (byte) 0);
    } else if (!spec.reduction().skipsNulls()) {
      for (int position = start; position < end; position++) {
        int count = counts[position - from];
        boolean noNull = count > 0 && count == present(layout, spec, piece, position);
        validity[position] = noNull ? (byte) 1 : 0;
      }
    }
  }
}
