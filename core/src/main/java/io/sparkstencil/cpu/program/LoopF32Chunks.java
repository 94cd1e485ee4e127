/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.CellOrder;

/** Instructions on float cells. The loops are plain, so that the compiler vectorises them. */
@SuppressWarnings("cast") // of the class for doubles, which is derived from this one
final class LoopF32Chunks extends F32Chunks {
  @Override
  void sum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    LoopF32Sums.sum(sources, from, weights, y, to, n);
  }

  @Override
  void fusedSum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    LoopF32FusedSums.sum(sources, from, weights, y, to, n);
  }

  @Override
  void multiply(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] * b[bi + i];
    }
  }

  @Override
  void divide(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] / b[bi + i];
    }
  }

  @Override
  void abs(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = Math.abs(a[ai + i]);
    }
  }

  @Override
  void sqrt(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = (float) Math.sqrt(a[ai + i]);
    }
  }

  @Override
  void min(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = CellOrder.less(b[bi + i], a[ai + i]) ? b[bi + i] : a[ai + i];
    }
  }

  @Override
  void max(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = CellOrder.less(a[ai + i], b[bi + i]) ? b[bi + i] : a[ai + i];
    }
  }

  @Override
  void minOfNumbers(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = b[bi + i] < a[ai + i] ? b[bi + i] : a[ai + i];
    }
  }

  @Override
  void maxOfNumbers(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] < b[bi + i] ? b[bi + i] : a[ai + i];
    }
  }

  @Override
  void fma(float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = Math.fma(a[ai + i], b[bi + i], c[ci + i]);
    }
  }

  @Override
  void productPlus(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] * b[bi + i] + c[ci + i];
    }
  }

  @Override
  void less(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] < b[bi + i] ? 1 : 0;
    }
  }

  @Override
  void lessOrEqual(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] <= b[bi + i] ? 1 : 0;
    }
  }

  @Override
  void equal(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] == b[bi + i] ? 1 : 0;
    }
  }

  @Override
  void not(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = 1 - a[ai + i];
    }
  }

  @Override
  void or(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = Math.max(a[ai + i], b[bi + i]);
    }
  }

  @Override
  void select(float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] != 0 ? b[bi + i] : c[ci + i];
    }
  }
}
