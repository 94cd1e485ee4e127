/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.passes.VectorShapes;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weighted sums of float cells with the Vector API, each product and each sum rounded. The sum so
 * far is always an argument; see {@code VectorProfiles}. Sums that round a product together with
 * its sum are derived from this class, too.
 */
@SuppressWarnings("cast") // of the classes for doubles, which are derived from this one
final class VectorF32Sums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  private VectorF32Sums() {}

  /** Computes whole vectors: at least {@code n} cells. */
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

  private static FloatVector load(float[] cells, int at) {
    return FloatVector.fromArray(SPECIES, cells, at);
  }

  private static FloatVector weight(double[] weights, int index) {
    return FloatVector.broadcast(SPECIES, (float) weights[index]);
  }

  private static void sum1(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum2(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum3(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum4(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    float[] d = cells(sources, 3);
    int di = from[3];
    FloatVector dw = weight(weights, 3);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum = load(d, di + i).mul(dw).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum5(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    float[] d = cells(sources, 3);
    int di = from[3];
    FloatVector dw = weight(weights, 3);
    float[] e = cells(sources, 4);
    int ei = from[4];
    FloatVector ew = weight(weights, 4);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum = load(d, di + i).mul(dw).add(sum);
      sum = load(e, ei + i).mul(ew).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum6(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    float[] d = cells(sources, 3);
    int di = from[3];
    FloatVector dw = weight(weights, 3);
    float[] e = cells(sources, 4);
    int ei = from[4];
    FloatVector ew = weight(weights, 4);
    float[] f = cells(sources, 5);
    int fi = from[5];
    FloatVector fw = weight(weights, 5);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum = load(d, di + i).mul(dw).add(sum);
      sum = load(e, ei + i).mul(ew).add(sum);
      sum = load(f, fi + i).mul(fw).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum7(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    float[] d = cells(sources, 3);
    int di = from[3];
    FloatVector dw = weight(weights, 3);
    float[] e = cells(sources, 4);
    int ei = from[4];
    FloatVector ew = weight(weights, 4);
    float[] f = cells(sources, 5);
    int fi = from[5];
    FloatVector fw = weight(weights, 5);
    float[] g = cells(sources, 6);
    int gi = from[6];
    FloatVector gw = weight(weights, 6);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum = load(d, di + i).mul(dw).add(sum);
      sum = load(e, ei + i).mul(ew).add(sum);
      sum = load(f, fi + i).mul(fw).add(sum);
      sum = load(g, gi + i).mul(gw).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum8(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    float[] d = cells(sources, 3);
    int di = from[3];
    FloatVector dw = weight(weights, 3);
    float[] e = cells(sources, 4);
    int ei = from[4];
    FloatVector ew = weight(weights, 4);
    float[] f = cells(sources, 5);
    int fi = from[5];
    FloatVector fw = weight(weights, 5);
    float[] g = cells(sources, 6);
    int gi = from[6];
    FloatVector gw = weight(weights, 6);
    float[] h = cells(sources, 7);
    int hi = from[7];
    FloatVector hw = weight(weights, 7);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum = load(d, di + i).mul(dw).add(sum);
      sum = load(e, ei + i).mul(ew).add(sum);
      sum = load(f, fi + i).mul(fw).add(sum);
      sum = load(g, gi + i).mul(gw).add(sum);
      sum = load(h, hi + i).mul(hw).add(sum);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum9(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    FloatVector aw = weight(weights, 0);
    float[] b = cells(sources, 1);
    int bi = from[1];
    FloatVector bw = weight(weights, 1);
    float[] c = cells(sources, 2);
    int ci = from[2];
    FloatVector cw = weight(weights, 2);
    float[] d = cells(sources, 3);
    int di = from[3];
    FloatVector dw = weight(weights, 3);
    float[] e = cells(sources, 4);
    int ei = from[4];
    FloatVector ew = weight(weights, 4);
    float[] f = cells(sources, 5);
    int fi = from[5];
    FloatVector fw = weight(weights, 5);
    float[] g = cells(sources, 6);
    int gi = from[6];
    FloatVector gw = weight(weights, 6);
    float[] h = cells(sources, 7);
    int hi = from[7];
    FloatVector hw = weight(weights, 7);
    float[] j = cells(sources, 8);
    int ji = from[8];
    FloatVector jw = weight(weights, 8);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).mul(bw).add(sum);
      sum = load(c, ci + i).mul(cw).add(sum);
      sum = load(d, di + i).mul(dw).add(sum);
      sum = load(e, ei + i).mul(ew).add(sum);
      sum = load(f, fi + i).mul(fw).add(sum);
      sum = load(g, gi + i).mul(gw).add(sum);
      sum = load(h, hi + i).mul(hw).add(sum);
      sum = load(j, ji + i).mul(jw).add(sum);
      sum.intoArray(y, to + i);
    }
  }
}
