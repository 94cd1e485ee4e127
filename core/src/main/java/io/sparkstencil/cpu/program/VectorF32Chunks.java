/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;

import io.sparkstencil.cpu.passes.VectorShapes;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Instructions on float cells with the Vector API. Whole vectors are computed, up to {@link
 * Chunks#SLACK} cells more than asked for.
 */
final class VectorF32Chunks implements Chunks {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

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
      case SUM -> VectorF32Sums.sum(sources, from, weights, y, to, n);
      case FUSED_SUM -> VectorF32FusedSums.sum(sources, from, weights, y, to, n);
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
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).mul(load(b, bi + i)).intoArray(y, to + i);
    }
  }

  private static void divide(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).div(load(b, bi + i)).intoArray(y, to + i);
    }
  }

  private static void abs(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).abs().intoArray(y, to + i);
    }
  }

  private static void sqrt(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).sqrt().intoArray(y, to + i);
    }
  }

  private static void min(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = load(a, ai + i);
      FloatVector second = load(b, bi + i);
      first.blend(second, less(second, first)).intoArray(y, to + i);
    }
  }

  private static void max(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = load(a, ai + i);
      FloatVector second = load(b, bi + i);
      first.blend(second, less(first, second)).intoArray(y, to + i);
    }
  }

  private static void fma(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).fma(load(b, bi + i), load(c, ci + i)).intoArray(y, to + i);
    }
  }

  private static void less(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      zero.blend(one, load(a, ai + i).compare(LT, load(b, bi + i))).intoArray(y, to + i);
    }
  }

  private static void lessOrEqual(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      zero.blend(one, load(a, ai + i).compare(LE, load(b, bi + i))).intoArray(y, to + i);
    }
  }

  private static void equal(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      zero.blend(one, load(a, ai + i).compare(EQ, load(b, bi + i))).intoArray(y, to + i);
    }
  }

  private static void not(float[] a, int ai, float[] y, int to, int n) {
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      one.sub(load(a, ai + i)).intoArray(y, to + i);
    }
  }

  private static void or(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).max(load(b, bi + i)).intoArray(y, to + i);
    }
  }

  private static void select(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(c, ci + i).blend(load(b, bi + i), load(a, ai + i).compare(NE, 0)).intoArray(y, to + i);
    }
  }

  private static FloatVector load(float[] cells, int at) {
    return FloatVector.fromArray(SPECIES, cells, at);
  }

  /** Compares as {@link io.sparkstencil.model.CellOrder#less(float, float)}. */
  private static VectorMask<Float> less(FloatVector a, FloatVector b) {
    return a.compare(LT, b).or(b.compare(NE, b).and(a.compare(EQ, a)));
  }
}
