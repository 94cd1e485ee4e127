/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.cpu.passes.CellPasses;
import io.sparkstencil.cpu.passes.FrameCounts;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingWriter;

/**
 * One stencil over whole series that are much shorter than its frame and staged without halos. What
 * lies beside a series is made a block of taps at a time, as the boundary rule says, so that it
 * costs no more memory than the series. Exact sums are added tap by tap, in the order of the
 * reference. A minimum or maximum needs no more taps than the rule takes to begin again.
 */
final class WideFrames {
  private static final int BLOCK_TAPS = 1 << 14;

  private final StencilSpec spec;
  private final CpuStencil stencil;
  private final CellPasses passes;
  private final ElementType type;
  private final Reduction reduction;
  private final StagingWriter writer;
  private final FrameCounts counts = new FrameCounts();

  WideFrames(CpuStencil stencil, CellPasses passes) {
    this.stencil = stencil;
    this.spec = stencil.spec();
    this.passes = passes;
    this.type = spec.type();
    this.reduction = spec.reduction();
    this.writer = new StagingWriter(type, spec.boundary());
  }

  /** Tells whether the frame reaches beyond what a batch has staged beside its pieces. */
  static boolean areIn(StagedBatch batch, StencilSpec spec) {
    return batch.layout().left() < spec.frame().left()
        || batch.layout().right() < spec.frame().right();
  }

  void run(StagedBatch batch, HeapCellBuffer output) {
    HeapCellBuffer input = (HeapCellBuffer) batch.cells();
    byte[] validity = batch.hasNulls() ? input.validity() : null;
    for (int piece = 0; piece < batch.layout().pieces(); piece++) {
      int at = batch.layout().start(piece);
      int from = input.first() + at + batch.layout().left();
      int cells = batch.layout().cells(piece);
      HeapCells series = new HeapCells(input.array(), validity, from, cells);
      output.write(at, results(series).array(), 0, cells);
      if (validity != null) {
        counts.writeValidity(spec, at, at, at + cells, output.validity());
      }
    }
  }

  private HeapCellBuffer results(HeapCells series) {
    int n = series.cells();
    int padded = (n + CellPasses.GROUP - 1) / CellPasses.GROUP * CellPasses.GROUP;
    int taps = taps(n);
    int most = reduction.chooses() ? taps : Math.min(taps, Math.max(n, BLOCK_TAPS));
    boolean nulls = series.hasNulls();
    HeapCellBuffer block = new HeapCellBuffer(type, padded + most - 1 + CellPasses.SLACK, nulls);
    HeapCellBuffer results = new HeapCellBuffer(type, padded, false);
    HeapCellBuffer part = new HeapCellBuffer(type, padded, false);
    counts.begin(n);
    int end = reduction == Reduction.COUNT && !nulls ? 0 : taps;
    for (int first = 0; first < end; first += most) {
      Cancellation.ask();
      int some = Math.min(most, taps - first);
      int span = n + some - 1;
      writer.write(series, null, null, spec.frame().first() + (long) first, span, block, 0, nulls);
      Object x = block.array();
      if (nulls) {
        counts.addNulls(block.validity(), 0, some, n);
        passes.select(x, 0, block.validity(), reduction.identity(type), x, span);
      }
      Object y = results.array();
      switch (reduction) {
        case MIN, MAX ->
            passes.slidingExtremum(x, 0, some, reduction == Reduction.MAX, y, 0, padded);
        case WEIGHTED_SUM -> passes.addTo(y, 0, n, x, 0, some, stencil.weights(), first);
        case SUM, MEAN -> {
          if (stencil.sliding()) {
            passes.slidingSum(x, 0, some, 1, part.array(), 0, padded);
            passes.addTo(y, 0, n, part.array(), 0, 1, null, 0);
          } else {
            passes.addTo(y, 0, n, x, 0, some, null, 0);
          }
        }
        case COUNT -> {
          // Only nulls are counted.
        }
      }
    }
    if (nulls) {
      counts.finish(passes, reduction, results.array(), 0, n);
    } else if (reduction == Reduction.MEAN) {
      passes.divide(results.array(), 0, n, taps);
    } else if (reduction == Reduction.COUNT) {
      results.fill(0, n, taps);
    }
    return results;
  }

  /** Returns how many taps of the frame matter. */
  private int taps(int cells) {
    int width = spec.frame().width();
    boolean repeats =
        spec.boundary().copiesCells() && spec.boundary().mode() != Boundary.Mode.NEAREST;
    return reduction.chooses() && repeats ? (int) Math.min(width, 2L * cells) : width;
  }
}
