/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/**
 * Weighted sums of float cells, each product and each sum rounded. Sums that round a product
 * together with its sum are derived from this class, too.
 */
@SuppressWarnings("cast") // of the classes for doubles, which are derived from this one
final class LoopF32Sums {
  private LoopF32Sums() {}

  static void sum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    switch (sources.length) {
      case 1 -> sum1(sources, from, weights, y, to, n);
      case 2 -> sum2(sources, from, weights, y, to, n);
      case 3 -> sum3(sources, from, weights, y, to, n);
      case 4 -> sum4(sources, from, weights, y, to, n);
      case 5 -> sum5(sources, from, weights, y, to, n);
      case 6 -> sum6(sources, from, weights, y, to, n);
      case 7 -> sum7(sources, from, weights, y, to, n);
      case 8 -> sum8(sources, from, weights, y, to, n);
      case 9 -> sum9(sources, from, weights, y, to, n);
      default -> throw new IllegalArgumentException(sources.length + " terms");
    }
  }

  private static float[] cells(Object[] sources, int index) {
    return (float[]) sources[index];
  }

  private static void sum1(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      y[to + i] = sum;
    }
  }

  private static void sum2(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      y[to + i] = sum;
    }
  }

  private static void sum3(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      y[to + i] = sum;
    }
  }

  private static void sum4(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    float[] d = cells(sources, 3);
    int di = from[3];
    float dw = (float) weights[3];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      sum = sum + dw * d[di + i];
      y[to + i] = sum;
    }
  }

  private static void sum5(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    float[] d = cells(sources, 3);
    int di = from[3];
    float dw = (float) weights[3];
    float[] e = cells(sources, 4);
    int ei = from[4];
    float ew = (float) weights[4];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      sum = sum + dw * d[di + i];
      sum = sum + ew * e[ei + i];
      y[to + i] = sum;
    }
  }

  private static void sum6(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    float[] d = cells(sources, 3);
    int di = from[3];
    float dw = (float) weights[3];
    float[] e = cells(sources, 4);
    int ei = from[4];
    float ew = (float) weights[4];
    float[] f = cells(sources, 5);
    int fi = from[5];
    float fw = (float) weights[5];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      sum = sum + dw * d[di + i];
      sum = sum + ew * e[ei + i];
      sum = sum + fw * f[fi + i];
      y[to + i] = sum;
    }
  }

  private static void sum7(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    float[] d = cells(sources, 3);
    int di = from[3];
    float dw = (float) weights[3];
    float[] e = cells(sources, 4);
    int ei = from[4];
    float ew = (float) weights[4];
    float[] f = cells(sources, 5);
    int fi = from[5];
    float fw = (float) weights[5];
    float[] g = cells(sources, 6);
    int gi = from[6];
    float gw = (float) weights[6];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      sum = sum + dw * d[di + i];
      sum = sum + ew * e[ei + i];
      sum = sum + fw * f[fi + i];
      sum = sum + gw * g[gi + i];
      y[to + i] = sum;
    }
  }

  private static void sum8(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    float[] d = cells(sources, 3);
    int di = from[3];
    float dw = (float) weights[3];
    float[] e = cells(sources, 4);
    int ei = from[4];
    float ew = (float) weights[4];
    float[] f = cells(sources, 5);
    int fi = from[5];
    float fw = (float) weights[5];
    float[] g = cells(sources, 6);
    int gi = from[6];
    float gw = (float) weights[6];
    float[] h = cells(sources, 7);
    int hi = from[7];
    float hw = (float) weights[7];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      sum = sum + dw * d[di + i];
      sum = sum + ew * e[ei + i];
      sum = sum + fw * f[fi + i];
      sum = sum + gw * g[gi + i];
      sum = sum + hw * h[hi + i];
      y[to + i] = sum;
    }
  }

  private static void sum9(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
    float[] d = cells(sources, 3);
    int di = from[3];
    float dw = (float) weights[3];
    float[] e = cells(sources, 4);
    int ei = from[4];
    float ew = (float) weights[4];
    float[] f = cells(sources, 5);
    int fi = from[5];
    float fw = (float) weights[5];
    float[] g = cells(sources, 6);
    int gi = from[6];
    float gw = (float) weights[6];
    float[] h = cells(sources, 7);
    int hi = from[7];
    float hw = (float) weights[7];
    float[] j = cells(sources, 8);
    int ji = from[8];
    float jw = (float) weights[8];
    for (int i = 0; i < n; i++) {
      float sum = aw * a[ai + i];
      sum = sum + bw * b[bi + i];
      sum = sum + cw * c[ci + i];
      sum = sum + dw * d[di + i];
      sum = sum + ew * e[ei + i];
      sum = sum + fw * f[fi + i];
      sum = sum + gw * g[gi + i];
      sum = sum + hw * h[hi + i];
      sum = sum + jw * j[ji + i];
      y[to + i] = sum;
    }
  }
}
