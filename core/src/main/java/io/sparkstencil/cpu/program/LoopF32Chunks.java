/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.CellOrder;

/** Instructions on float cells. The loops are plain, so that the compiler vectorises them. */
@SuppressWarnings("cast") // of the class for doubles, which is derived from this one
final class LoopF32Chunks implements Chunks {
  @Override
  public void run(
      Instruction.Kind kind,
      Object[] sources,
      int[] from,
      double[] weights,
      Object target,
      int to,
      int n) {
    float[] a = (float[]) sources[0];
    float[] b = (float[]) sources[Math.min(1, sources.length - 1)];
    float[] c = (float[]) sources[Math.min(2, sources.length - 1)];
    int ai = from[0];
    int bi = from[Math.min(1, sources.length - 1)];
    int ci = from[Math.min(2, sources.length - 1)];
    float[] y = (float[]) target;
    switch (kind) {
      case SUM -> LoopF32Sums.sum(sources, from, weights, y, to, n);
      case FUSED_SUM -> LoopF32FusedSums.sum(sources, from, weights, y, to, n);
      case MULTIPLY -> multiply(a, ai, b, bi, y, to, n);
      case DIVIDE -> divide(a, ai, b, bi, y, to, n);
      case ABS -> abs(a, ai, y, to, n);
      case SQRT -> sqrt(a, ai, y, to, n);
      case MIN -> min(a, ai, b, bi, y, to, n);
      case MAX -> max(a, ai, b, bi, y, to, n);
      case FMA -> fma(a, ai, b, bi, c, ci, y, to, n);
      case LESS -> less(a, ai, b, bi, y, to, n);
      case LESS_OR_EQUAL -> lessOrEqual(a, ai, b, bi, y, to, n);
      case EQUAL -> equal(a, ai, b, bi, y, to, n);
      case NOT -> not(a, ai, y, to, n);
      // conditions are 1 and 0
      case AND -> multiply(a, ai, b, bi, y, to, n);
      case OR -> or(a, ai, b, bi, y, to, n);
      case SELECT -> select(a, ai, b, bi, c, ci, y, to, n);
    }
  }

  private static void multiply(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] * b[bi + i];
    }
  }

  private static void divide(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] / b[bi + i];
    }
  }

  private static void abs(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = Math.abs(a[ai + i]);
    }
  }

  private static void sqrt(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = (float) Math.sqrt(a[ai + i]);
    }
  }

  private static void min(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = CellOrder.less(b[bi + i], a[ai + i]) ? b[bi + i] : a[ai + i];
    }
  }

  private static void max(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = CellOrder.less(a[ai + i], b[bi + i]) ? b[bi + i] : a[ai + i];
    }
  }

  private static void fma(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = Math.fma(a[ai + i], b[bi + i], c[ci + i]);
    }
  }

  private static void less(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] < b[bi + i] ? 1 : 0;
    }
  }

  private static void lessOrEqual(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] <= b[bi + i] ? 1 : 0;
    }
  }

  private static void equal(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] == b[bi + i] ? 1 : 0;
    }
  }

  private static void not(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = 1 - a[ai + i];
    }
  }

  private static void or(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = Math.max(a[ai + i], b[bi + i]);
    }
  }

  private static void select(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = a[ai + i] != 0 ? b[bi + i] : c[ci + i];
    }
  }
}
