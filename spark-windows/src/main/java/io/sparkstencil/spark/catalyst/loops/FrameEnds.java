/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import java.time.DateTimeException;
import java.util.Arrays;

/**
 * The frames of rows that follow each other: each begins and ends with its row's or later than the
 * one before. Used by one thread.
 */
abstract class FrameEnds {
  private int[] firsts = new int[0];
  private int[] ends = new int[0];
  private int first; // of the last row's frame
  private int end;
  private RuntimeException failure;

  /** Begins a series. */
  final void begin() {
    first = 0;
    end = 0;
  }

  /** Says that the first cells have been taken out. */
  final void moved(int by) {
    first = Math.max(0, first - by);
    end -= by;
  }

  /** Returns the first cell that later frames may need. */
  abstract int needed();

  /**
   * Finds frames.
   *
   * @param row where the first row's cells are
   * @param count how many rows
   * @return how many of them have a frame, and all before one whose bounds fail
   */
  final int find(FrameCells cells, int row, int count) {
    if (firsts.length < count) {
      firsts = Arrays.copyOf(firsts, count);
      ends = Arrays.copyOf(ends, count);
    }
    for (int i = 0; i < count; i++) {
      i += moveMany(cells, row + i, count - i, i);
      if (i == count) {
        break;
      }
      try {
        move(cells, row + i);
      } catch (ArithmeticException | DateTimeException e) {
        failure = e;
        return i;
      }
      firsts[i] = first;
      ends[i] = end;
    }
    return count;
  }

  /**
   * Moves to the frames of the next rows, as far as that is simple.
   *
   * @param at where the frame of the first of them is noted
   * @return how many of them have a frame
   */
  int moveMany(FrameCells cells, int row, int count, int at) {
    return 0;
  }

  /** Moves to the frame of a row. */
  abstract void move(FrameCells cells, int row);

  /** Sets the frame of the row: cells {@code [first, end)}. */
  final void set(int newFirst, int newEnd) {
    first = newFirst;
    end = newEnd;
  }

  /** Returns where the frame of the row before begins. */
  final int first() {
    return first;
  }

  /** Returns where the frame of the row before ends. */
  final int end() {
    return end;
  }

  /** Returns for each row the first cell of its frame, that of an empty one where it ends. */
  final int[] firsts() {
    return firsts;
  }

  /** Returns for each row the cell after the last one of its frame. */
  final int[] ends() {
    return ends;
  }

  /** Returns why there is no frame for the row after those that were found, or null. */
  final RuntimeException failure() {
    return failure;
  }
}
