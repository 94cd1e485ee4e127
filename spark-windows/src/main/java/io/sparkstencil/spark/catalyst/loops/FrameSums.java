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
    // What follows the beginnings of a few frames is added to all that have begun, and what comes
    // before the ends of a few to all that are left.
    for (int i = 0; i < MANY; i += SOME) {
      int begun = begin(cells, firsts, at + i, i);
      int until = i + SOME < MANY ? firsts[at + i + 2 * SOME - 1] : ends[at];
      addToMany(cells, begun, until, 0, i + SOME);
    }
    for (int i = 0; i < MANY; i += SOME) {
      int ended = end(cells, ends, at + i, i);
      if (i + SOME < MANY) {
        addToMany(cells, ended, ends[at + i + SOME], i + SOME, MANY);
      }
    }
    System.arraycopy(totals, 0, sums, at, MANY);
  }

  private void addSome(double[] cells, int[] firsts, int[] ends, int at, double[] sums) {
    addToSome(cells, begin(cells, firsts, at, 0), ends[at]);
    end(cells, ends, at, 0);
    System.arraycopy(totals, 0, sums, at, SOME);
  }

  /** Begins some totals with the cells before the last of their frames; returns where that is. */
  private int begin(double[] cells, int[] firsts, int at, int to) {
    int begun = firsts[at + SOME - 1];
    for (int i = 0; i < SOME; i++) {
      totals[to + i] = add(0, cells, firsts[at + i], begun);
    }
    return begun;
  }

  /** Adds the cells after the first of some frames to their totals; returns where that ends. */
  private int end(double[] cells, int[] ends, int at, int to) {
    int ended = ends[at];
    for (int i = 0; i < SOME; i++) {
      totals[to + i] = add(totals[to + i], cells, ended, ends[at + i]);
    }
    return ended;
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

  private void addToSome(double[] cells, int from, int until) {
    for (int k = from; k < until; ) {
      int end = asked.piece(k, until);
      addPieceToSome(cells, k, end);
      k = end;
    }
  }

  private void addPieceToSome(double[] cells, int from, int until) {
    double a = totals[0];
    double b = totals[1];
    double c = totals[2];
    double d = totals[3];
    double e = totals[4];
    double f = totals[5];
    double g = totals[6];
    double h = totals[7];
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
    totals[0] = a;
    totals[1] = b;
    totals[2] = c;
    totals[3] = d;
    totals[4] = e;
    totals[5] = f;
    totals[6] = g;
    totals[7] = h;
  }
}
