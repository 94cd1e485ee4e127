/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/** Instructions on float cells, each on as many operands as it takes. */
abstract class F32Chunks implements Chunks {
  @Override
  public void run(
      Instruction.Opcode kind,
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
      case SUM -> sum(sources, from, weights, y, to, n);
      case FUSED_SUM -> fusedSum(sources, from, weights, y, to, n);
      case MULTIPLY -> multiply(a, ai, b, bi, y, to, n);
      case DIVIDE -> divide(a, ai, b, bi, y, to, n);
      case ABS -> abs(a, ai, y, to, n);
      case SQRT -> sqrt(a, ai, y, to, n);
      case MIN -> min(a, ai, b, bi, y, to, n);
      case MAX -> max(a, ai, b, bi, y, to, n);
      case MIN_OF_NUMBERS -> minOfNumbers(a, ai, b, bi, y, to, n);
      case MAX_OF_NUMBERS -> maxOfNumbers(a, ai, b, bi, y, to, n);
      case FMA -> fma(a, ai, b, bi, c, ci, y, to, n);
      case PRODUCT_PLUS -> productPlus(a, ai, b, bi, c, ci, y, to, n);
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

  abstract void sum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n);

  abstract void fusedSum(Object[] sources, int[] from, double[] weights, float[] y, int to, int n);

  abstract void multiply(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void divide(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void abs(float[] a, int ai, float[] y, int to, int n);

  abstract void sqrt(float[] a, int ai, float[] y, int to, int n);

  abstract void min(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void max(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void minOfNumbers(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void maxOfNumbers(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void fma(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n);

  abstract void productPlus(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n);

  abstract void less(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void lessOrEqual(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void equal(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void not(float[] a, int ai, float[] y, int to, int n);

  abstract void or(float[] a, int ai, float[] b, int bi, float[] y, int to, int n);

  abstract void select(
      float[] a, int ai, float[] b, int bi, float[] c, int ci, float[] y, int to, int n);
}
