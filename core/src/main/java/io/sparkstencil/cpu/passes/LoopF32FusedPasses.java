/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

/**
 * Passes whose weighted sums round each product and sum at once, as plain loops. A sum that starts
 * at 0.0 is -0.0 where products underflow; adding 0.0 at the end makes it 0.0.
 */
class LoopF32FusedPasses extends LoopF32Passes {
  @Override
  public void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    super.weightedSum(x, from, weights, first, width, y, at, n);
    addZero((float[]) y, at, n);
  }

  @Override
  public void addTo(
      Object y, int at, int n, Object x, int from, int width, Object weights, int first) {
    super.addTo(y, at, n, x, from, width, weights, first);
    addZero((float[]) y, at, n);
  }

  private static void addZero(float[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += 0;
    }
  }

  @Override
  void addProduct(float[] x, int from, float weight, float[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] = Math.fma(weight, x[from + i], y[at + i]);
    }
  }
}
