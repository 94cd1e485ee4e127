/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.Arrays;

/**
 * A split of many rows into parts, by the highest bits of their numbers. Parts are in the order of
 * the numbers, and rows of a part are as they came.
 */
public final class RowSplit {
  private static final int LEAST_ROWS = 1 << 17; // whose words outgrow the cache of a core
  private static final int PART_ROWS_BITS = 14; // rows of a part, if parts are even
  private static final int MOST_BITS = 8; // of parts, which are written side by side
  private static final int LEAST_RUN = 16; // rows, from which runs are better left together

  private final int[] spots; // where each row goes
  private int[] ends;

  /** Creates a splitter of up to {@code capacity} rows. */
  public RowSplit(int capacity) {
    this.spots = new int[isPossible(capacity) ? capacity : 0];
  }

  /** Tells whether so many rows may be split. */
  public boolean isPossible(int rows) {
    return rows >= LEAST_ROWS;
  }

  /** Leaves all rows together. */
  public void none() {
    ends = null;
  }

  /** Tells whether rows are split. */
  public boolean isFound() {
    return ends != null;
  }

  /** Returns where each part ends. */
  public int[] ends() {
    return ends;
  }

  /**
   * Splits rows; false if they are better left together.
   *
   * @param numbers by which the rows are ordered
   * @param isNull which rows have none, or null if all have one
   * @param nullsFirst whether those come first, or last
   */
  public boolean find(long[] numbers, boolean[] isNull, boolean nullsFirst, int rows) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    int runs = 1;
    for (int i = 0; i < rows; i++) {
      if (isNull == null || !isNull[i]) {
        least = Math.min(least, numbers[i]);
        most = Math.max(most, numbers[i]);
      }
      runs += i > 0 && numbers[i] < numbers[i - 1] ? 1 : 0;
    }
    if (runs <= rows / LEAST_RUN || least >= most) {
      return false;
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(rows - 1) - PART_ROWS_BITS;
    int shift =
        Math.max(
            0, Long.SIZE - Long.numberOfLeadingZeros(most - least) - Math.min(bits, MOST_BITS));
    int parts = (int) ((most - least) >>> shift) + 1;
    int ofNulls = nullsFirst ? 0 : parts - 1;
    int[] next = new int[parts + 1];
    for (int i = 0; i < rows; i++) {
      int part = isNull != null && isNull[i] ? ofNulls : (int) ((numbers[i] - least) >>> shift);
      spots[i] = part;
      next[part + 1]++;
    }
    for (int part = 1; part <= parts; part++) {
      next[part] += next[part - 1];
    }
    for (int i = 0; i < rows; i++) {
      spots[i] = next[spots[i]]++;
    }
    ends = Arrays.copyOf(next, parts);
    return true;
  }

  /** Moves the words of rows to where the rows go. */
  public void move(long[] words, long[] to, int rows) {
    for (int i = 0; i < rows; i++) {
      to[spots[i]] = words[i];
    }
  }
}
