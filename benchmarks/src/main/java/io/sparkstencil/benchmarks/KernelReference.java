/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What kernels must come to, over all cells: for exact accuracy the same bits, computed tap by tap
 * in the element type; else sums in double within the rounding error of a sum in any order. All
 * cores take part; nothing is kept between comparisons.
 */
final class KernelReference {
  private static final int CHUNK = 1 << 12;

  private final float[] floats;
  private final double[] doubles;

  /** Takes the cells of either type; borrowed. */
  KernelReference(float[] floats, double[] doubles) {
    this.floats = floats;
    this.doubles = doubles;
  }

  /** Returns how many of the first {@code outputs} results are wrong. */
  long wrong(FlatStencil what, int outputs, ByteBuffer results) {
    return IntStream.range(0, (outputs + CHUNK - 1) / CHUNK)
        .parallel()
        .mapToLong(
            chunk -> {
              int from = chunk * CHUNK;
              return wrongIn(what, from, Math.min(CHUNK, outputs - from), results);
            })
        .sum();
  }

  private long wrongIn(FlatStencil what, int from, int count, ByteBuffer results) {
    boolean sameBits = what.accuracy() == Accuracy.EXACT;
    if (sameBits && what.type() == ElementType.F32) {
      float[] expected = exactFloats(what, from, count);
      long wrong = 0;
      for (int i = 0; i < count; i++) {
        wrong += results.getInt(4 * (from + i)) == Float.floatToRawIntBits(expected[i]) ? 0 : 1;
      }
      return wrong;
    }
    double[] magnitude = new double[count];
    double[] expected = sums(what, from, count, magnitude);
    long wrong = 0;
    double unit = what.type() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    double scale = what.reduction() == Reduction.MEAN ? 1.0 / what.width() : 1;
    for (int i = 0; i < count; i++) {
      if (sameBits) {
        wrong += results.getLong(8 * (from + i)) == Double.doubleToRawLongBits(expected[i]) ? 0 : 1;
      } else {
        double actual =
            what.type() == ElementType.F32
                ? results.getFloat(4 * (from + i))
                : results.getDouble(8 * (from + i));
        double bound = (what.width() + 3) * unit * magnitude[i] * scale;
        wrong += Math.abs(actual - expected[i]) <= bound ? 0 : 1;
      }
    }
    return wrong;
  }

  /** Taps outside, outputs inside: the order of each output's taps, as vectors over outputs. */
  private float[] exactFloats(FlatStencil what, int from, int count) {
    float[] result = new float[count];
    Reduction reduction = what.reduction();
    if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
      System.arraycopy(floats, from, result, 0, count);
    }
    for (int tap = 0; tap < what.width(); tap++) {
      int first = from + tap;
      switch (reduction) {
        case MIN -> {
          for (int i = 0; i < count; i++) {
            result[i] = Math.min(result[i], floats[first + i]);
          }
        }
        case MAX -> {
          for (int i = 0; i < count; i++) {
            result[i] = Math.max(result[i], floats[first + i]);
          }
        }
        case WEIGHTED_SUM -> {
          float weight = (float) what.weights().get(tap);
          for (int i = 0; i < count; i++) {
            result[i] += weight * floats[first + i];
          }
        }
        default -> {
          for (int i = 0; i < count; i++) {
            result[i] += floats[first + i];
          }
        }
      }
    }
    for (int i = 0; i < count && reduction == Reduction.MEAN; i++) {
      result[i] /= what.width();
    }
    return result;
  }

  /** The same in double, with the sums of absolute values beside them. */
  private double[] sums(FlatStencil what, int from, int count, double[] magnitude) {
    double[] cells = window(what.type(), from, count + what.width() - 1);
    double[] result = new double[count];
    Reduction reduction = what.reduction();
    if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
      System.arraycopy(cells, 0, result, 0, count);
    }
    for (int tap = 0; tap < what.width(); tap++) {
      switch (reduction) {
        case MIN -> {
          for (int i = 0; i < count; i++) {
            result[i] = Math.min(result[i], cells[tap + i]);
          }
        }
        case MAX -> {
          for (int i = 0; i < count; i++) {
            result[i] = Math.max(result[i], cells[tap + i]);
          }
        }
        default -> {
          double weight = reduction == Reduction.WEIGHTED_SUM ? weight(what, tap) : 1;
          for (int i = 0; i < count; i++) {
            double product = weight * cells[tap + i];
            result[i] += product;
            magnitude[i] += Math.abs(product);
          }
        }
      }
    }
    for (int i = 0; i < count && reduction == Reduction.MEAN; i++) {
      result[i] /= what.width();
    }
    return result;
  }

  /** Weights are values of the element type. */
  private static double weight(FlatStencil what, int tap) {
    double weight = what.weights().get(tap);
    return what.type() == ElementType.F32 ? (float) weight : weight;
  }

  private double[] window(ElementType type, int from, int count) {
    if (type == ElementType.F64) {
      return Arrays.copyOfRange(doubles, from, from + count);
    }
    double[] cells = new double[count];
    for (int i = 0; i < count; i++) {
      cells[i] = floats[from + i];
    }
    return cells;
  }
}
