/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.model.ElementType;

/**
 * Cells that are no numbers up to a bound: NaN, infinite or larger. A set of them has a sum, the
 * same on every engine, by which it is known again: it is 0 for none.
 */
public final class StrayCells {
  /** The first factor of a cell's part of the sum. */
  public static final long FIRST_FACTOR = 0x9E3779B97F4A7C15L;

  /** The bits that are shifted down between the two factors, and added without carry. */
  public static final int SHIFT = 32;

  /** The second factor of a cell's part of the sum. */
  public static final long SECOND_FACTOR = 0xBF58476D1CE4E5B9L;

  /** The cells that are looked at together where they have to be copied. */
  static final int TOGETHER = 1 << 20;

  private StrayCells() {}

  /** Returns a bound that the type can have, so that nothing infinite is within it. */
  public static double bound(ElementType type, double largest) {
    return type == ElementType.F32
        ? (float) Math.min(largest, Float.MAX_VALUE)
        : Math.min(largest, Double.MAX_VALUE);
  }

  /** Returns whether a cell is a stray one. */
  public static boolean isStray(double cell, double bound) {
    return !(Math.abs(cell) <= bound);
  }

  /** Returns the part of the sum that a stray cell has, by its place among the cells of a block. */
  static long part(int place) {
    long mixed = (place + 1L) * FIRST_FACTOR;
    return (mixed ^ mixed >>> SHIFT) * SECOND_FACTOR;
  }

  /**
   * Returns the sum of the stray cells of a box.
   *
   * @param array the cells of a larger box, {@code of}
   * @param first the place of the box's first cell among those of the block; the others follow
   */
  static long sum(Object array, Box of, Box box, int first, double bound) {
    int length = box.size(box.dimensions() - 1);
    long[] sum = {0};
    int[] place = {first};
    CellBoxes.forEachRow(
        of,
        box,
        at -> {
          sum[0] +=
              array instanceof float[] floats
                  ? rowSum(floats, at, length, place[0], (float) bound)
                  : rowSum((double[]) array, at, length, place[0], bound);
          place[0] += length;
        });
    return sum[0];
  }

  private static long rowSum(float[] cells, int at, int length, int place, float bound) {
    boolean within = true;
    for (int i = at; i < at + length; i++) {
      within &= Math.abs(cells[i]) <= bound;
    }
    long sum = 0;
    for (int i = 0; !within && i < length; i++) {
      sum += Math.abs(cells[at + i]) <= bound ? 0 : part(place + i);
    }
    return sum;
  }

  private static long rowSum(double[] cells, int at, int length, int place, double bound) {
    boolean within = true;
    for (int i = at; i < at + length; i++) {
      within &= Math.abs(cells[i]) <= bound;
    }
    long sum = 0;
    for (int i = 0; !within && i < length; i++) {
      sum += Math.abs(cells[at + i]) <= bound ? 0 : part(place + i);
    }
    return sum;
  }
}
