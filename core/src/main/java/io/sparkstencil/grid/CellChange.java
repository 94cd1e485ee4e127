/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

/** How much cells differ. */
public final class CellChange {
  private CellChange() {}

  /**
   * Returns the largest absolute difference of two arrays of float or double. Differences are taken
   * in double. NaN that stays NaN has not changed, nor has what stays infinite; a number that
   * becomes NaN, or the other way round, has changed without bound.
   */
  public static double largest(Object before, Object after) {
    double largest = 0;
    if (before instanceof float[] old) {
      float[] now = (float[]) after;
      for (int i = 0; i < old.length; i++) {
        largest = Math.max(largest, difference(old[i], now[i]));
      }
    } else {
      double[] old = (double[]) before;
      double[] now = (double[]) after;
      for (int i = 0; i < old.length; i++) {
        largest = Math.max(largest, difference(old[i], now[i]));
      }
    }
    return largest;
  }

  private static double difference(double before, double after) {
    double difference = Math.abs(after - before);
    if (!Double.isNaN(difference)) {
      return difference;
    }
    boolean same = before == after || (Double.isNaN(before) && Double.isNaN(after));
    return same ? 0 : Double.POSITIVE_INFINITY;
  }
}
