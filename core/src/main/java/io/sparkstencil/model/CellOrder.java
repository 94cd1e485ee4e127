/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

/**
 * Spark's order of numbers, by which MIN and MAX choose: NaN is the greatest value and equal to
 * itself, -0.0 equals 0.0. Of equal cells the one at the lowest offset wins, bits included, except
 * that the payload of a NaN is not kept.
 *
 * @see <a href="https://spark.apache.org/docs/latest/sql-ref-datatypes.html#nan-semantics">Spark's
 *     NaN semantics</a>
 */
public final class CellOrder {
  private CellOrder() {}

  /** Tells whether {@code a} sorts strictly before {@code b}. */
  public static boolean less(float a, float b) {
    return a < b || (Float.isNaN(b) && !Float.isNaN(a));
  }

  /** Tells whether {@code a} sorts strictly before {@code b}. */
  public static boolean less(double a, double b) {
    return a < b || (Double.isNaN(b) && !Double.isNaN(a));
  }
}
