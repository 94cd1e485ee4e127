/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Fringe and shared core. A thread's outputs 0 to R-1 have frames that all contain the same core;
 * what the frames have beside it on the left are suffixes of the thread's own R cells, and on the
 * right prefixes of the R-1 cells after the core:
 *
 * <pre>
 *   own R cells | totals of the next W/R - 1 threads | W mod R loose cells | R-1 cells
 *   suffixes    | core                                                     | prefixes
 * </pre>
 *
 * An output costs about {@code 3 + W/R/R} operations whatever its width W. Nothing is subtracted,
 * so infinities and NaN stay within their frames, and the order of cells is kept.
 */
final class SharedCoreForm {
  /** Totals per thread from which it pays to add them up in groups first. */
  private static final int GROUPING_FROM = 12;

  private final WindowKernel k;
  private final SharedTile tile;
  private final int threads;
  private final int outputs;
  private final int width;

  SharedCoreForm(WindowKernel kernel, SharedTile tile) {
    this.k = kernel;
    this.tile = tile;
    this.threads = k.how.threadsPerBlock();
    this.outputs = k.how.cellsPerThread();
    this.width = k.what.width();
  }

  List<Cell> write() {
    IntFunction<Cell> own = tile.window(0, k.skew);
    Cell[] suffix = suffixes(k, own);
    int others = width / outputs - 1;
    Cell prefix = others > 0 ? coreOf(suffix[0], others) : null;
    for (int offset = width / outputs * outputs; offset < width; offset++) {
      prefix = join(prefix, own.apply(offset));
    }
    List<Cell> results = new ArrayList<>();
    for (int output = 0; output < outputs; output++) {
      if (output > 0) {
        prefix = join(prefix, own.apply(width - 1 + output));
      }
      results.add(prefix == null ? suffix[output] : k.math.combine(suffix[output], prefix));
    }
    return results;
  }

  private Cell join(Cell earlier, Cell later) {
    return earlier == null ? later : k.math.combine(earlier, later);
  }

  /** Returns the reductions of a thread's cells from each of them to the last. */
  static Cell[] suffixes(WindowKernel k, IntFunction<Cell> window) {
    Cell[] suffix = new Cell[k.how.cellsPerThread()];
    for (int i = suffix.length - 1; i >= 0; i--) {
      Cell cell = window.apply(i);
      suffix[i] = i == suffix.length - 1 ? cell : k.math.combine(cell, suffix[i + 1]);
    }
    return suffix;
  }

  /** Returns the reduction of the cells of the next {@code others} threads. */
  private Cell coreOf(Cell ownTotal, int others) {
    TotalsRow totals = new TotalsRow(k, threads + others, k.thread);
    totals.store(0, ownTotal);
    // Threads after the block's last have no one to reduce their cells: the first ones do.
    forExtraThreads(
        others, ahead -> totals.store(ahead, suffixes(k, tile.window(ahead, k.skew))[0]));
    k.put("bar.sync", 0);
    if (others < GROUPING_FROM) {
      return reduce(totals, 1, others, 1, null);
    }
    int group = (int) Math.round(Math.sqrt(others));
    int extra = others - group + 1;
    TotalsRow groups = new TotalsRow(k, threads + extra, k.thread);
    groups.store(0, reduce(totals, 0, group, 1, null));
    forExtraThreads(extra, ahead -> groups.store(ahead, reduce(totals, ahead, group, 1, null)));
    k.put("bar.sync", 0);
    int wholeGroups = others / group;
    Cell core = reduce(groups, 1, wholeGroups, group, null);
    return reduce(totals, 1 + wholeGroups * group, others % group, 1, core);
  }

  private Cell reduce(TotalsRow row, int first, int count, int step, Cell start) {
    Cell sum = start;
    for (int i = 0; i < count; i++) {
      sum = join(sum, row.load(first + i * step));
    }
    return sum;
  }

  /** Writes work for threads {@code threads} to {@code threads + extra - 1}, done by the first. */
  private void forExtraThreads(int extra, IntConsumer work) {
    for (int ahead = threads; ahead < threads + extra; ahead += threads) {
      int taking = Math.min(threads, threads + extra - ahead);
      int place = ahead;
      k.where(k.test("setp.lt.u32", k.thread, taking), "extra", () -> work.accept(place));
    }
  }
}
