/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.frames.WideSum;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The sum or the mean of integers. What leaves the frame is subtracted. Spark adds a frame's cells
 * from the first on, in long or, for the mean, in double: where such sums could overflow on the
 * way, or could not be exact, cells are added as Spark does it.
 */
final class MovingIntegers extends SlidingFunction {
  /** Exact integers of a double, and those of a long, in units of what is left of the bits. */
  private static final int LIMIT_BITS = 31;

  private final int column;
  private final boolean mean;
  private final boolean checked;
  private final int unitBits;
  private final AskedCells asked = new AskedCells();
  private final SuffixOverflows suffixes = new SuffixOverflows();
  private long[] values;
  private byte[] validity; // null if there is no null
  private long sum;
  private long units; // more than the absolute values have together
  private int missing;
  private boolean[] overflows; // of the results, or null

  /**
   * Creates the function.
   *
   * @param mean whether the mean is wanted, not the sum
   * @param checked whether the sum must not overflow
   */
  MovingIntegers(int column, boolean mean, boolean checked) {
    this.column = column;
    this.mean = mean;
    this.checked = checked;
    this.unitBits = (mean ? 53 : 63) - LIMIT_BITS;
  }

  @Override
  void open() {
    overflows = null;
  }

  @Override
  boolean[] overflows() {
    return overflows;
  }

  @Override
  void moved(int by) {
    super.moved(by);
    suffixes.moved(by);
  }

  @Override
  void read(CellColumn[] cells) {
    values = (long[]) cells[column].array();
    validity = cells[column].validity();
  }

  @Override
  void clear() {
    suffixes.clear();
    sum = 0;
    units = 0;
    missing = 0;
  }

  @Override
  void takeIn(int from, int until) {
    for (int i = from; i < until; i++) {
      sum += values[i];
      units += units(values[i]);
      missing += validity == null ? 0 : 1 - validity[i];
    }
  }

  @Override
  void takeOut(int from, int until) {
    for (int i = from; i < until; i++) {
      sum -= values[i];
      units -= units(values[i]);
      missing -= validity == null ? 0 : 1 - validity[i];
    }
  }

  private long units(long value) {
    return Math.min((Math.abs(value) >>> unitBits) + 1, 1L << LIMIT_BITS);
  }

  @Override
  void write(int from, int until, CellColumn to, int at) {
    int number = until - from - missing;
    boolean exact = units < 1L << LIMIT_BITS;
    if (number == 0) {
      to.setNull(at);
    } else if (mean) {
      ((double[]) to.array())[at] = (exact ? (double) sum : added(from, until)) / number;
    } else {
      long[] sums = (long[]) to.array();
      sums[at] = sum;
      if (checked && !exact && overflows(from, until)) {
        overflows = overflows == null ? new boolean[sums.length] : longer(sums.length);
        overflows[at] = true;
      }
    }
  }

  private boolean[] longer(int length) {
    return overflows.length < length ? Arrays.copyOf(overflows, length) : overflows;
  }

  private double added(int from, int until) {
    double total = 0;
    int piece = from; // its end
    for (int i = from; i < until; i++) {
      if (i == piece) {
        piece = asked.piece(i, until);
      }
      total += (double) values[i];
    }
    return total;
  }

  private boolean overflows(int from, int until) {
    if (suffixes.areOf(from, until) || suffixes.isAskedAgain(until)) {
      return suffixes.overflows(values, from, until);
    }
    long total = 0;
    boolean overflows = false;
    int piece = from; // its end
    for (int i = from; i < until; i++) {
      if (i == piece) {
        piece = asked.piece(i, until);
      }
      long next = total + values[i];
      overflows |= ((total ^ next) & (values[i] ^ next)) < 0;
      total = next;
    }
    return overflows;
  }

  /**
   * Which sums overflow on their way, of frames that end together: those that go to the last row.
   * Sums that begin at a cell have the greatest and the least one on their way, which follow from
   * those of the next cell, and overflow if one of them is no long.
   */
  private static final class SuffixOverflows {
    private final BitSet overflows = new BitSet();
    private int first; // of the cells that are known, whose bits begin here
    private int end; // of these, 0 if none are
    private int lastEnd; // of the frame that was asked for before

    void clear() {
      end = 0;
      lastEnd = 0;
    }

    void moved(int by) {
      first -= by;
      end = Math.max(0, end - by);
      lastEnd -= by;
    }

    boolean areOf(int from, int until) {
      return end == until && from >= first;
    }

    /** Tells whether the frame before ended with the same cell, so that others are going to. */
    boolean isAskedAgain(int until) {
      boolean again = lastEnd == until;
      lastEnd = until;
      return again;
    }

    boolean overflows(long[] values, int from, int until) {
      if (!areOf(from, until)) {
        find(values, from, until);
      }
      return overflows.get(from - first);
    }

    private void find(long[] values, int from, int until) {
      overflows.clear();
      first = from;
      end = until;
      WideSum greatest = new WideSum();
      WideSum least = new WideSum();
      for (int i = until - 1; i >= from; i--) {
        if (greatest.high() < 0) {
          greatest.clear();
        }
        if (least.high() >= 0) {
          least.clear();
        }
        greatest.add(values[i]);
        least.add(values[i]);
        overflows.set(i - from, !greatest.isLong() || !least.isLong());
      }
    }
  }
}
