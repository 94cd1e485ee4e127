/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

/**
 * Spark's order of numbers, which minima and maxima follow: NaN is greater than every other value
 * and equal to itself, and -0.0 equals 0.0. Among equal cells the one at the lowest offset is
 * chosen, with its bits, except for the payload of a NaN.
 *
 * @see <a href="https://spark.apache.org/docs/latest/sql-ref-datatypes.html#nan-semantics">Spark's
 *     NaN semantics</a>
 */
public final class CellOrder {
  private CellOrder() {}

  /** Returns whether {@code a} sorts strictly before {@code b}. */
  public static boolean less(float a, float b) {
    return a < b || (Float.isNaN(b) && !Float.isNaN(a));
  }

  /** Returns whether {@code a} sorts strictly before {@code b}. */
  public static boolean less(double a, double b) {
    return a < b || (Double.isNaN(b) && !Double.isNaN(a));
  }
}
