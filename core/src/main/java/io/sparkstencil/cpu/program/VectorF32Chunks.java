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
final class VectorF32Chunks extends F32Chunks {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  @Override
  void sum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    VectorF32Sums.sum(sources, from, weights, y, to, n);
  }

  @Override
  void fusedSum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n) {
    VectorF32FusedSums.sum(sources, from, weights, y, to, n);
  }

  @Override
  void multiply(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).mul(load(b, bi + i)).intoArray(y, to + i);
    }
  }

  @Override
  void divide(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).div(load(b, bi + i)).intoArray(y, to + i);
    }
  }

  @Override
  void abs(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).abs().intoArray(y, to + i);
    }
  }

  @Override
  void sqrt(float[] a, int ai, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).sqrt().intoArray(y, to + i);
    }
  }

  @Override
  void min(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = load(a, ai + i);
      FloatVector second = load(b, bi + i);
      first.blend(second, less(second, first)).intoArray(y, to + i);
    }
  }

  @Override
  void max(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = load(a, ai + i);
      FloatVector second = load(b, bi + i);
      first.blend(second, less(first, second)).intoArray(y, to + i);
    }
  }

  @Override
  void minOfNumbers(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = load(a, ai + i);
      FloatVector second = load(b, bi + i);
      first.blend(second, second.compare(LT, first)).intoArray(y, to + i);
    }
  }

  @Override
  void maxOfNumbers(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = load(a, ai + i);
      FloatVector second = load(b, bi + i);
      first.blend(second, first.compare(LT, second)).intoArray(y, to + i);
    }
  }

  @Override
  void fma(float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).fma(load(b, bi + i), load(c, ci + i)).intoArray(y, to + i);
    }
  }

  @Override
  void productPlus(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).mul(load(b, bi + i)).add(load(c, ci + i)).intoArray(y, to + i);
    }
  }

  @Override
  void less(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      zero.blend(one, load(a, ai + i).compare(LT, load(b, bi + i))).intoArray(y, to + i);
    }
  }

  @Override
  void lessOrEqual(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      zero.blend(one, load(a, ai + i).compare(LE, load(b, bi + i))).intoArray(y, to + i);
    }
  }

  @Override
  void equal(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      zero.blend(one, load(a, ai + i).compare(EQ, load(b, bi + i))).intoArray(y, to + i);
    }
  }

  @Override
  void not(float[] a, int ai, float[] y, int to, int n) {
    FloatVector one = FloatVector.broadcast(SPECIES, 1);
    for (int i = 0; i < n; i += LANES) {
      one.sub(load(a, ai + i)).intoArray(y, to + i);
    }
  }

  @Override
  void or(float[] a, int ai, float[] b, int bi, float[] y, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      load(a, ai + i).max(load(b, bi + i)).intoArray(y, to + i);
    }
  }

  @Override
  void select(float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n) {
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
