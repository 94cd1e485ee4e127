/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

/**
 * Restores the signs of zeros: where the result of a frame is a zero, it is the frame's first zero.
 * A single pass from the end remembers the nearest zero to the right.
 */
final class NegativeZeros {
  private NegativeZeros() {}

  static void restore(float[] x, int from, int width, float[] y, int at, int n) {
    float nearest = 0;
    for (int i = n + width - 2; i >= 0; i--) {
      if (x[from + i] == 0) {
        nearest = x[from + i];
      }
      if (i < n && y[at + i] == 0) {
        y[at + i] = nearest;
      }
    }
  }

  static void restore(double[] x, int from, int width, double[] y, int at, int n) {
    double nearest = 0;
    for (int i = n + width - 2; i >= 0; i--) {
      if (x[from + i] == 0) {
        nearest = x[from + i];
      }
      if (i < n && y[at + i] == 0) {
        y[at + i] = nearest;
      }
    }
  }
}
