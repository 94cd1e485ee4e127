/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.model.ElementType;
import java.util.Arrays;

/** Loops over arrays of any element type, for work outside of passes: nulls, edges, counts. */
public final class TypedCells {
  private TypedCells() {}

  /** Sets {@code n} cells to {@code value}; infinities become the extreme integers. */
  public static void fill(ElementType type, Object y, int at, int n, double value) {
    switch (type) {
      case F32 -> Arrays.fill((float[]) y, at, at + n, (float) value);
      case F64 -> Arrays.fill((double[]) y, at, at + n, value);
      case I32 -> Arrays.fill((int[]) y, at, at + n, (int) value);
      case I64 -> Arrays.fill((long[]) y, at, at + n, (long) value);
    }
  }

  /** Copies valid cells, and {@code identity} instead of the others, to {@code y[0]} onwards. */
  public static void select(
      ElementType type, Object x, int from, byte[] validity, double identity, Object y, int n) {
    switch (type) {
      case F32 -> select((float[]) x, from, validity, (float) identity, (float[]) y, n);
      case F64 -> select((double[]) x, from, validity, identity, (double[]) y, n);
      case I32 -> select((int[]) x, from, validity, (int) identity, (int[]) y, n);
      case I64 -> select((long[]) x, from, validity, (long) identity, (long[]) y, n);
    }
  }

  /** Divides {@code n} sums by {@code divisor}. */
  public static void divide(ElementType type, Object y, int at, int n, int divisor) {
    switch (type) {
      case F32 -> LoopDivision.divide((float[]) y, at, n, divisor);
      case F64 -> LoopDivision.divide((double[]) y, at, n, divisor);
      case I32, I64 -> throw noMean(type);
    }
  }

  /** Divides {@code n} sums by their counts; the result is 0 where the count is 0. */
  static void divide(ElementType type, Object y, int at, int[] counts, int first, int n) {
    switch (type) {
      case F32 -> divide((float[]) y, at, counts, first, n);
      case F64 -> divide((double[]) y, at, counts, first, n);
      case I32, I64 -> throw noMean(type);
    }
  }

  /** Sets cells to 0 where the count is 0. */
  static void clearWhereNone(ElementType type, Object y, int at, int[] counts, int first, int n) {
    switch (type) {
      case F32 -> clearWhereNone((float[]) y, at, counts, first, n);
      case F64 -> clearWhereNone((double[]) y, at, counts, first, n);
      case I32 -> clearWhereNone((int[]) y, at, counts, first, n);
      case I64 -> clearWhereNone((long[]) y, at, counts, first, n);
    }
  }

  /** Sets cells to counts. */
  static void copyCounts(ElementType type, Object y, int at, int[] counts, int first, int n) {
    switch (type) {
      case F32 -> copyCounts((float[]) y, at, counts, first, n);
      case F64 -> copyCounts((double[]) y, at, counts, first, n);
      case I32 -> copyCounts((int[]) y, at, counts, first, n);
      case I64 -> copyCounts((long[]) y, at, counts, first, n);
    }
  }

  private static IllegalStateException noMean(ElementType type) {
    return new IllegalStateException("a mean is not computed in " + type);
  }

  private static void select(
      float[] x, int from, byte[] validity, float identity, float[] y, int n) {
    for (int i = 0; i < n; i++) {
      y[i] = validity[from + i] != 0 ? x[from + i] : identity;
    }
  }

  private static void divide(float[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      int count = counts[first + i];
      y[at + i] = count == 0 ? 0 : y[at + i] / count;
    }
  }

  private static void clearWhereNone(float[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      if (counts[first + i] == 0) {
        y[at + i] = 0;
      }
    }
  }

  private static void copyCounts(float[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] = counts[first + i];
    }
  }

  private static void select(
      double[] x, int from, byte[] validity, double identity, double[] y, int n) {
    for (int i = 0; i < n; i++) {
      y[i] = validity[from + i] != 0 ? x[from + i] : identity;
    }
  }

  private static void divide(double[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      int count = counts[first + i];
      y[at + i] = count == 0 ? 0 : y[at + i] / count;
    }
  }

  private static void clearWhereNone(double[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      if (counts[first + i] == 0) {
        y[at + i] = 0;
      }
    }
  }

  private static void copyCounts(double[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] = counts[first + i];
    }
  }

  private static void select(int[] x, int from, byte[] validity, int identity, int[] y, int n) {
    for (int i = 0; i < n; i++) {
      y[i] = validity[from + i] != 0 ? x[from + i] : identity;
    }
  }

  private static void clearWhereNone(int[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      if (counts[first + i] == 0) {
        y[at + i] = 0;
      }
    }
  }

  private static void copyCounts(int[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] = counts[first + i];
    }
  }

  private static void select(long[] x, int from, byte[] validity, long identity, long[] y, int n) {
    for (int i = 0; i < n; i++) {
      y[i] = validity[from + i] != 0 ? x[from + i] : identity;
    }
  }

  private static void clearWhereNone(long[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      if (counts[first + i] == 0) {
        y[at + i] = 0;
      }
    }
  }

  private static void copyCounts(long[] y, int at, int[] counts, int first, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] = counts[first + i];
    }
  }
}
