/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

/** How much cells differ. */
public final class CellChange {
  private CellChange() {}

  /**
   * Returns the largest absolute difference of two arrays of float or double; NaN if one is.
   * Differences are taken in double.
   */
  public static double largest(Object before, Object after) {
    double largest = 0;
    if (before instanceof float[] old) {
      float[] now = (float[]) after;
      for (int i = 0; i < old.length; i++) {
        largest = Math.max(largest, Math.abs((double) now[i] - old[i]));
      }
    } else {
      double[] old = (double[]) before;
      double[] now = (double[]) after;
      for (int i = 0; i < old.length; i++) {
        largest = Math.max(largest, Math.abs(now[i] - old[i]));
      }
    }
    return largest;
  }
}
