/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.passes.VectorShapes;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Weighted sums of float cells with the Vector API, each product after the first added with one
 * rounding. The sum so far is always an argument; see {@code VectorProfiles}.
 */
final class VectorF32FusedSums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  private VectorF32FusedSums() {}

  /** Computes whole vectors: at least {@code n} cells. */
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

  private static FloatVector load(float[] cells, int at) {
    return FloatVector.fromArray(SPECIES, cells, at);
  }

  private static void sum1(float[] a, int ai, float aw, float[] y, int to, int n) {
    FloatVector av = FloatVector.broadcast(SPECIES, aw);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum.intoArray(y, to + i);
    }
  }

  private static void sum2(
      float[] a, int ai, float aw, float[] b, int bi, float bw, float[] y, int to, int n) {
    FloatVector av = FloatVector.broadcast(SPECIES, aw);
    FloatVector bv = FloatVector.broadcast(SPECIES, bw);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).fma(bv, sum);
      sum.intoArray(y, to + i);
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
    FloatVector av = FloatVector.broadcast(SPECIES, aw);
    FloatVector bv = FloatVector.broadcast(SPECIES, bw);
    FloatVector cv = FloatVector.broadcast(SPECIES, cw);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).fma(bv, sum);
      sum = load(c, ci + i).fma(cv, sum);
      sum.intoArray(y, to + i);
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
    FloatVector av = FloatVector.broadcast(SPECIES, aw);
    FloatVector bv = FloatVector.broadcast(SPECIES, bw);
    FloatVector cv = FloatVector.broadcast(SPECIES, cw);
    FloatVector dv = FloatVector.broadcast(SPECIES, dw);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).fma(bv, sum);
      sum = load(c, ci + i).fma(cv, sum);
      sum = load(d, di + i).fma(dv, sum);
      sum.intoArray(y, to + i);
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
    FloatVector av = FloatVector.broadcast(SPECIES, aw);
    FloatVector bv = FloatVector.broadcast(SPECIES, bw);
    FloatVector cv = FloatVector.broadcast(SPECIES, cw);
    FloatVector dv = FloatVector.broadcast(SPECIES, dw);
    FloatVector ev = FloatVector.broadcast(SPECIES, ew);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).fma(bv, sum);
      sum = load(c, ci + i).fma(cv, sum);
      sum = load(d, di + i).fma(dv, sum);
      sum = load(e, ei + i).fma(ev, sum);
      sum.intoArray(y, to + i);
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
    FloatVector av = FloatVector.broadcast(SPECIES, aw);
    FloatVector bv = FloatVector.broadcast(SPECIES, bw);
    FloatVector cv = FloatVector.broadcast(SPECIES, cw);
    FloatVector dv = FloatVector.broadcast(SPECIES, dw);
    FloatVector ev = FloatVector.broadcast(SPECIES, ew);
    FloatVector fv = FloatVector.broadcast(SPECIES, fw);
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = load(a, ai + i).mul(aw);
      sum = load(b, bi + i).fma(bv, sum);
      sum = load(c, ci + i).fma(cv, sum);
      sum = load(d, di + i).fma(dv, sum);
      sum = load(e, ei + i).fma(ev, sum);
      sum = load(f, fi + i).fma(fv, sum);
      sum.intoArray(y, to + i);
    }
  }
}
