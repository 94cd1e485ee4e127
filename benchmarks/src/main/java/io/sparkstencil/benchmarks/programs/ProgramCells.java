/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Random cells from 0 to 1 that are known by their indices, so that no copy of them need be kept.
 */
final class ProgramCells {
  private static final int PIECE = 1 << 20;

  private ProgramCells() {}

  /** Returns a cell of a field, exact in every type of cells. */
  static double at(int field, long index) {
    long bits = (index + 1 + ((long) field << 40)) * 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return (bits >>> 40) * 0x1p-24;
  }

  /** Fills an array, {@code float[]} or {@code double[]}, with the cells of a field. */
  static void fill(Object array, int field) {
    eachPiece(
        array,
        (from, to) -> {
          if (array instanceof float[] floats) {
            for (int i = from; i < to; i++) {
              floats[i] = (float) at(field, i);
            }
          } else {
            double[] doubles = (double[]) array;
            for (int i = from; i < to; i++) {
              doubles[i] = at(field, i);
            }
          }
        });
  }

  /** Fills an array with cells that no computation gives. */
  static void poison(Object array) {
    eachPiece(
        array,
        (from, to) -> {
          if (array instanceof float[] floats) {
            Arrays.fill(floats, from, to, Float.intBitsToFloat(-1));
          } else {
            Arrays.fill((double[]) array, from, to, Double.longBitsToDouble(-1));
          }
        });
  }

  /** Work on the cells from one index to another. */
  private interface RangeTask {
    void run(int from, int to);
  }

  private static void eachPiece(Object array, RangeTask work) {
    int length = java.lang.reflect.Array.getLength(array);
    IntStream.range(0, (int) (((long) length + PIECE - 1) / PIECE))
        .parallel()
        .forEach(piece -> work.run(piece * PIECE, (int) Math.min(length, (piece + 1L) * PIECE)));
  }
}
