/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/** Weighted sums of float cells, each product and each sum rounded. */
final class LoopF32Sums {
  private LoopF32Sums() {}

  static void sum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    switch (sources.length) {
      case 1 -> sum1(cells(sources, 0), from[0], (float) weights[0], y, to, n);
      case 2 ->
          sum2(
              cells(sources, 0),
              from[0],
              (float) weights[0],
              cells(sources, 1),
              from[1],
              (float) weights[1],
              y,
              to,
              n);
      case 3 ->
          sum3(
              cells(sources, 0),
              from[0],
              (float) weights[0],
              cells(sources, 1),
              from[1],
              (float) weights[1],
              cells(sources, 2),
              from[2],
              (float) weights[2],
              y,
              to,
              n);
      case 4 ->
          sum4(
              cells(sources, 0),
              from[0],
              (float) weights[0],
              cells(sources, 1),
              from[1],
              (float) weights[1],
              cells(sources, 2),
              from[2],
              (float) weights[2],
              cells(sources, 3),
              from[3],
              (float) weights[3],
              y,
              to,
              n);
      case 5 ->
          sum5(
              cells(sources, 0),
              from[0],
              (float) weights[0],
              cells(sources, 1),
              from[1],
              (float) weights[1],
              cells(sources, 2),
              from[2],
              (float) weights[2],
              cells(sources, 3),
              from[3],
              (float) weights[3],
              cells(sources, 4),
              from[4],
              (float) weights[4],
              y,
              to,
              n);
      case 6 ->
          sum6(
              cells(sources, 0),
              from[0],
              (float) weights[0],
              cells(sources, 1),
              from[1],
              (float) weights[1],
              cells(sources, 2),
              from[2],
              (float) weights[2],
              cells(sources, 3),
              from[3],
              (float) weights[3],
              cells(sources, 4),
              from[4],
              (float) weights[4],
              cells(sources, 5),
              from[5],
              (float) weights[5],
              y,
              to,
              n);
      default -> throw new IllegalArgumentException(sources.length + " terms");
    }
  }

  private static float[] cells(Object[] sources, int index) {
    return (float[]) sources[index];
  }

  private static void sum1(float[] a, int ai, float aw, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = aw * a[ai + i];
    }
  }

  private static void sum2(
      float[] a, int ai, float aw, float[] b, int bi, float bw, float[] y, int to, int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = aw * a[ai + i] + bw * b[bi + i];
    }
  }

  private static void sum3(
      float[] a,
      int ai,
      float aw,
      float[] b,
      int bi,
      float bw,
      float[] c,
      int ci,
      float cw,
      float[] y,
      int to,
      int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = aw * a[ai + i] + bw * b[bi + i] + cw * c[ci + i];
    }
  }

  private static void sum4(
      float[] a,
      int ai,
      float aw,
      float[] b,
      int bi,
      float bw,
      float[] c,
      int ci,
      float cw,
      float[] d,
      int di,
      float dw,
      float[] y,
      int to,
      int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] = aw * a[ai + i] + bw * b[bi + i] + cw * c[ci + i] + dw * d[di + i];
    }
  }

  private static void sum5(
      float[] a,
      int ai,
      float aw,
      float[] b,
      int bi,
      float bw,
      float[] c,
      int ci,
      float cw,
      float[] d,
      int di,
      float dw,
      float[] e,
      int ei,
      float ew,
      float[] y,
      int to,
      int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] =
          aw * a[ai + i] + bw * b[bi + i] + cw * c[ci + i] + dw * d[di + i] + ew * e[ei + i];
    }
  }

  private static void sum6(
      float[] a,
      int ai,
      float aw,
      float[] b,
      int bi,
      float bw,
      float[] c,
      int ci,
      float cw,
      float[] d,
      int di,
      float dw,
      float[] e,
      int ei,
      float ew,
      float[] f,
      int fi,
      float fw,
      float[] y,
      int to,
      int n) {
    for (int i = 0; i < n; i++) {
      y[to + i] =
          aw * a[ai + i]
              + bw * b[bi + i]
              + cw * c[ci + i]
              + dw * d[di + i]
              + ew * e[ei + i]
              + fw * f[fi + i];
    }
  }
}
