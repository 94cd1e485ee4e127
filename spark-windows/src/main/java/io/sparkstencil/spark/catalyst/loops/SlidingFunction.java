/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/** A function that takes cells in as they come into the frame, and out as they leave it. */
abstract class SlidingFunction extends MovingFunction {
  private int first; // of the cells that are in
  private int end;

  @Override
  final void begin(long rows) {
    clear();
    first = 0;
    end = 0;
  }

  @Override
  void moved(int by) {
    first = Math.max(0, first - by);
    end = Math.max(0, end - by);
  }

  @Override
  final int run(CellColumn[] cells, FrameEnds ends, int count, CellColumn to) {
    read(cells);
    int at = to.reserve(count);
    int[] firsts = ends.firsts();
    int[] untils = ends.ends();
    for (int i = 0; i < count; i++) {
      slide(firsts[i], untils[i]);
      write(first, end, to, at + i);
    }
    return count;
  }

  private void slide(int newFirst, int newEnd) {
    if (newFirst >= end) {
      clear();
      end = newFirst;
    } else if (newFirst > first) {
      takeOut(first, newFirst);
    }
    first = newFirst;
    if (newEnd > end) {
      takeIn(end, newEnd);
      end = newEnd;
    }
  }

  /** Takes note of where cells lie. */
  abstract void read(CellColumn[] cells);

  /** Forgets all cells. */
  abstract void clear();

  /** Takes cells {@code [from, until)} in, after all others. */
  abstract void takeIn(int from, int until);

  /** Takes cells {@code [from, until)} out, the first of those that are in. */
  abstract void takeOut(int from, int until);

  /** Writes the value of cells {@code [from, until)}, which are those that are in. */
  abstract void write(int from, int until, CellColumn to, int at);
}
