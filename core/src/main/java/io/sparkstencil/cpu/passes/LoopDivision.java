/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

/** Turns sums into means, with loops that the compiler vectorises if the hardware can divide. */
final class LoopDivision {
  private LoopDivision() {}

  static void divide(float[] y, int at, int n, int divisor) {
    if (divisor != 1) {
      for (int i = 0; i < n; i++) {
        y[at + i] /= divisor;
      }
    }
  }

  static void divide(double[] y, int at, int n, int divisor) {
    if (divisor != 1) {
      for (int i = 0; i < n; i++) {
        y[at + i] /= divisor;
      }
    }
  }
}
