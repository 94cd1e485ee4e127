/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/** Copies words to cells, as {@code CellReader} makes cells of the values in rows. */
final class WordCells {
  private WordCells() {}

  /** Appends cells of {@code count} words, which lie one after the other in memory. */
  static void append(Object base, long offset, int count, WordType type, CellColumn to) {
    int at = to.reserve(count);
    switch (to.type()) {
      case I64 -> longs(base, offset, count, type, (long[]) to.array(), at);
      case F64 -> doubles(base, offset, count, type, (double[]) to.array(), at);
      case I32 -> {
        int[] ints = (int[]) to.array();
        for (int i = 0; i < count; i++) {
          ints[at + i] = (int) type.value(word(base, offset, i));
        }
      }
      case F32 -> {
        float[] floats = (float[]) to.array();
        for (int i = 0; i < count; i++) {
          floats[at + i] = Float.intBitsToFloat((int) word(base, offset, i));
        }
      }
    }
  }

  /** Appends {@code count} cells of one word. */
  static void appendSame(long word, int count, WordType type, CellColumn to) {
    int at = to.reserve(count);
    switch (to.type()) {
      case I64 -> Arrays.fill((long[]) to.array(), at, at + count, type.value(word));
      case F64 -> Arrays.fill((double[]) to.array(), at, at + count, number(word, type));
      case I32 -> Arrays.fill((int[]) to.array(), at, at + count, (int) type.value(word));
      case F32 ->
          Arrays.fill((float[]) to.array(), at, at + count, Float.intBitsToFloat((int) word));
    }
  }

  private static double number(long word, WordType type) {
    return switch (type) {
      case DOUBLE -> Double.longBitsToDouble(word);
      case FLOAT -> Float.intBitsToFloat((int) word);
      default -> (double) type.value(word);
    };
  }

  private static long word(Object base, long offset, int index) {
    return Platform.getLong(base, offset + (long) index * Long.BYTES);
  }

  private static void longs(Object base, long offset, int count, WordType type, long[] to, int at) {
    if (type == WordType.LONG) {
      long target = Platform.LONG_ARRAY_OFFSET + (long) at * Long.BYTES;
      Platform.copyMemory(base, offset, to, target, (long) count * Long.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      to[at + i] = type.value(word(base, offset, i));
    }
  }

  private static void doubles(
      Object base, long offset, int count, WordType type, double[] to, int at) {
    switch (type) {
      case DOUBLE -> {
        long target = Platform.DOUBLE_ARRAY_OFFSET + (long) at * Double.BYTES;
        Platform.copyMemory(base, offset, to, target, (long) count * Double.BYTES);
      }
      case FLOAT -> {
        for (int i = 0; i < count; i++) {
          to[at + i] = Float.intBitsToFloat((int) word(base, offset, i));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          to[at + i] = (double) type.value(word(base, offset, i));
        }
      }
    }
  }
}
