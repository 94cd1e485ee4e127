/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

/**
 * Sums of frames that move forward, each added from its first cell to its last as Spark adds it.
 * One such sum waits for every addition; here many are added side by side: a cell is added to the
 * sums of all frames that have it. Used by one thread.
 */
final class FrameSums {
  /** Frames that are added to by loops over arrays, which vector units take many at once of. */
  private static final int MANY = 64;

  /** Frames that are added to in registers. */
  private static final int SOME = 8;

  /** Cells that a loop over arrays adds. */
  private static final int STEP = 8;

  private final double[] totals = new double[MANY];
  private final AskedCells asked = new AskedCells();

  /**
   * Finds sums.
   *
   * @param firsts the first cell of each frame, none before that of the frame before
   * @param ends the cell after the last one, likewise
   * @param sums where the sums are written
   */
  void add(double[] cells, int[] firsts, int[] ends, int count, double[] sums) {
    int i = 0;
    while (i < count) {
      if (count - i >= MANY && ends[i] - firsts[i + MANY - 1] >= SOME) {
        addMany(cells, firsts, ends, i, sums);
        i += MANY;
      } else if (count - i >= SOME && ends[i] - firsts[i + SOME - 1] >= SOME) {
        addSome(cells, firsts, ends, i, sums);
        i += SOME;
      } else {
        sums[i] = add(0, cells, firsts[i], ends[i]);
        i++;
      }
    }
  }

  private double add(double sum, double[] cells, int from, int until) {
    if (until - from <= STEP) { // too few to ask, which takes longer
      return addPiece(sum, cells, from, until);
    }
    double total = sum;
    for (int k = from; k < until; ) {
      int end = asked.piece(k, until);
      total = addPiece(total, cells, k, end);
      k = end;
    }
    return total;
  }

  private static double addPiece(double sum, double[] cells, int from, int until) {
    double total = sum;
    for (int k = from; k < until; k++) {
      total += cells[k];
    }
    return total;
  }

  private void addMany(double[] cells, int[] firsts, int[] ends, int at, double[] sums) {
    // A few frames begin at a time: each adds its cells up to where the last of these begins, and
    // what follows is added to all that have begun. Likewise a few end at a time.
    for (int i = 0; i < MANY; i += SOME) {
      int begun = firsts[at + i + SOME - 1];
      for (int j = i; j < i + SOME; j++) {
        totals[j] = add(0, cells, firsts[at + j], begun);
      }
      int until = i + SOME < MANY ? firsts[at + i + 2 * SOME - 1] : ends[at];
      addToMany(cells, begun, until, 0, i + SOME);
    }
    for (int i = 0; i < MANY; i += SOME) {
      int ended = ends[at + i];
      for (int j = i; j < i + SOME; j++) {
        totals[j] = add(totals[j], cells, ended, ends[at + j]);
      }
      if (i + SOME < MANY) {
        addToMany(cells, ended, ends[at + i + SOME], i + SOME, MANY);
      }
    }
    System.arraycopy(totals, 0, sums, at, MANY);
  }

  /** Adds cells {@code [from, until)} to totals {@code [first, end)}. */
  private void addToMany(double[] cells, int from, int until, int first, int end) {
    int k = from;
    while (k + STEP <= until) {
      int last = asked.piece(k, until);
      for (; k + STEP <= last; k += STEP) {
        step(cells, k, first, end);
      }
    }
    for (; k < until; k++) {
      double cell = cells[k];
      for (int i = first; i < end; i++) {
        totals[i] += cell;
      }
    }
  }

  private void step(double[] cells, int k, int first, int end) {
    double a = cells[k];
    double b = cells[k + 1];
    double c = cells[k + 2];
    double d = cells[k + 3];
    double e = cells[k + 4];
    double f = cells[k + 5];
    double g = cells[k + 6];
    double h = cells[k + 7];
    for (int i = first; i < end; i++) {
      totals[i] = totals[i] + a + b + c + d + e + f + g + h;
    }
  }

  /** Adds the cells before {@code until} to the totals of some frames. */
  private void begin(double[] cells, int[] firsts, int at, int until, int to) {
    for (int i = 0; i < SOME; i++) {
      totals[to + i] = add(0, cells, firsts[at + i], firsts[at + SOME - 1]);
    }
    addToAll(cells, firsts[at + SOME - 1], until, to);
  }

  /** Adds the cells from {@code from} on to the totals of some frames. */
  private void end(double[] cells, int[] ends, int at, int from, int to) {
    addToAll(cells, from, ends[at], to);
    for (int i = 0; i < SOME; i++) {
      totals[to + i] = add(totals[to + i], cells, Math.max(from, ends[at]), ends[at + i]);
    }
  }

  private void addToAll(double[] cells, int from, int until, int to) {
    for (int k = from; k < until; ) {
      int end = asked.piece(k, until);
      addPieceToAll(cells, k, end, to);
      k = end;
    }
  }

  private void addPieceToAll(double[] cells, int from, int until, int to) {
    double a = totals[to];
    double b = totals[to + 1];
    double c = totals[to + 2];
    double d = totals[to + 3];
    double e = totals[to + 4];
    double f = totals[to + 5];
    double g = totals[to + 6];
    double h = totals[to + 7];
    for (int k = from; k < until; k++) {
      double cell = cells[k];
      a += cell;
      b += cell;
      c += cell;
      d += cell;
      e += cell;
      f += cell;
      g += cell;
      h += cell;
    }
    totals[to] = a;
    totals[to + 1] = b;
    totals[to + 2] = c;
    totals[to + 3] = d;
    totals[to + 4] = e;
    totals[to + 5] = f;
    totals[to + 6] = g;
    totals[to + 7] = h;
  }

  private void addSome(double[] cells, int[] firsts, int[] ends, int at, double[] sums) {
    begin(cells, firsts, at, firsts[at + SOME - 1], 0);
    end(cells, ends, at, firsts[at + SOME - 1], 0);
    System.arraycopy(totals, 0, sums, at, SOME);
  }
}
