/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.passes.VectorShapes;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weighted sums of float cells with the Vector API, each product and each sum rounded. The sum so
 * far is always an argument; see {@code VectorProfiles}.
 */
@SuppressWarnings("cast") // of the class for doubles, which is derived from this one
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
      default -> throw new IllegalArgumentException(sources.length + " terms");
    }
  }

  private static float[] cells(Object[] sources, int index) {
    return (float[]) sources[index];
  }

  private static FloatVector load(float[] cells, int at) {
    return FloatVector.fromArray(SPECIES, cells, at);
  }

  private static void sum1(
      Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    float[] a = cells(sources, 0);
    int ai = from[0];
    float aw = (float) weights[0];
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum.intoArray(y, to + i);
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
    float aw = (float) weights[0];
    float[] b = cells(sources, 1);
    int bi = from[1];
    float bw = (float) weights[1];
    float[] c = cells(sources, 2);
    int ci = from[2];
    float cw = (float) weights[2];
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
}
