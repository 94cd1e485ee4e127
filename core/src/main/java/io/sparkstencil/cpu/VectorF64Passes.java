/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/** Passes over double cells with the Vector API. */
final class VectorF64Passes extends CellPasses {
  private final VectorF64Sums sums = new VectorF64Sums();
  private final VectorF64Keys leastKeys = new VectorF64Keys(false);
  private final VectorF64Keys greatestKeys = new VectorF64Keys(true);
  private final VectorI64Minimum minimum = new VectorI64Minimum();

  @Override
  void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    VectorF64Sums.sum((double[]) x, from, width, divisor, (double[]) y, at, n);
  }

  @Override
  void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorF64Sums.weightedSum(
        (double[]) x, from, (double[]) weights, first, width, (double[]) y, at, n);
  }

  @Override
  void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    sums.sliding((double[]) x, from, width, divisor, (double[]) y, at, n);
  }

  @Override
  void slidingExtremum(Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    VectorF64Keys keys = greatest ? greatestKeys : leastKeys;
    minimum.sliding(keys, x, from, width, y, at, n);
    if (keys.takeNegativeZero()) {
      NegativeZeros.restore((double[]) x, from, width, (double[]) y, at, n);
    }
  }
}
