/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/** Passes over long cells with the Vector API. */
final class VectorI64Passes extends CellPasses {
  private final VectorI64Sums sums = new VectorI64Sums();
  private final VectorI64Minimum minimum = new VectorI64Minimum();

  @Override
  void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    VectorI64Sums.sum((long[]) x, from, width, divisor, (long[]) y, at, n);
  }

  @Override
  void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorI64Sums.weightedSum((long[]) x, from, (long[]) weights, first, width, (long[]) y, at, n);
  }

  @Override
  void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    sums.sliding((long[]) x, from, width, divisor, (long[]) y, at, n);
  }

  @Override
  void slidingExtremum(Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    VectorI64Keys keys = new VectorI64Keys(greatest);
    minimum.sliding(keys, x, from, width, y, at, n);
  }
}
