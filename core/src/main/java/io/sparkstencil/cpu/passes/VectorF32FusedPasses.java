/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

/** Passes whose weighted sums round each product and sum at once, with the Vector API. */
final class VectorF32FusedPasses extends LoopF32FusedPasses {
  @Override
  public void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorF32FusedProducts.add(
        (float[]) x, from, (float[]) weights, first, width, (float[]) y, at, n);
  }
}
