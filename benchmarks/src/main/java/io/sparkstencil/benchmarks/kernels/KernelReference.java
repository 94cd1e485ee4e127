/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What kernels must come to, over all cells: for exact accuracy the same bits, computed tap by tap
 * in the element type; else sums in double, within the rounding error of a sum in any order. Keeps
 * the answers to the last question, so that several kernels for one stencil cost one computation.
 */
final class KernelReference {
  private static final int CHUNK = 1 << 12;

  private final float[] floats;
  private final double[] doubles;
  private final int outputs;
  private final float[] exactFloats;
  private final double[] answers;
  private FlatStencil answered;

  /**
   * Takes the cells of either type, of which there are more than {@code outputs}; borrowed. All are
   * between -1 and 1.
   */
  KernelReference(float[] floats, double[] doubles, int outputs) {
    this.floats = floats;
    this.doubles = doubles;
    this.outputs = outputs;
    this.exactFloats = floats == null ? null : new float[outputs];
    this.answers = new double[outputs];
  }

  private interface ChunkWork {
    long run(int from, int count);
  }

  /** Runs over all outputs on all cores; returns the sum of what the parts return. */
  private long overChunks(ChunkWork work) {
    return IntStream.range(0, (outputs + CHUNK - 1) / CHUNK)
        .parallel()
        .mapToLong(chunk -> work.run(chunk * CHUNK, Math.min(CHUNK, outputs - chunk * CHUNK)))
        .sum();
  }

  /** Returns how many results are wrong. */
  long wrong(FlatStencil what, ByteBuffer results) {
    boolean inFloats = what.type() == ElementType.F32 && what.accuracy() == Accuracy.EXACT;
    if (!what.equals(answered)) {
      overChunks(
          (from, count) -> {
            if (inFloats) {
              answerInFloats(what, from, count);
            } else {
              answerInDoubles(what, from, count);
            }
            return 0;
          });
      answered = what;
    }
    if (inFloats) {
      return overChunks((from, count) -> differentFloats(from, count, results));
    }
    return what.accuracy() == Accuracy.EXACT
        ? overChunks((from, count) -> differentDoubles(from, count, results))
        : overChunks((from, count) -> farOff(what, from, count, results));
  }

  /** Returns how many exact means are wrong over cells that all are {@code repeated} bytes. */
  long wrongMeanOfAlike(FlatStencil what, byte repeated, ByteBuffer results) {
    byte[] bytes = new byte[8];
    Arrays.fill(bytes, repeated);
    if (what.type() == ElementType.F32) {
      float sum = 0;
      for (int tap = 0; tap < what.width(); tap++) {
        sum += ByteBuffer.wrap(bytes).getFloat();
      }
      Arrays.fill(exactFloats, sum / what.width());
      return overChunks((from, count) -> differentFloats(from, count, results));
    }
    double sum = 0;
    for (int tap = 0; tap < what.width(); tap++) {
      sum += ByteBuffer.wrap(bytes).getDouble();
    }
    Arrays.fill(answers, sum / what.width());
    return overChunks((from, count) -> differentDoubles(from, count, results));
  }

  private long differentFloats(int from, int count, ByteBuffer results) {
    long wrong = 0;
    for (int i = from; i < from + count; i++) {
      wrong += results.getInt(4 * i) == Float.floatToRawIntBits(exactFloats[i]) ? 0 : 1;
    }
    return wrong;
  }

  private long differentDoubles(int from, int count, ByteBuffer results) {
    long wrong = 0;
    for (int i = from; i < from + count; i++) {
      wrong += results.getLong(8 * i) == Double.doubleToRawLongBits(answers[i]) ? 0 : 1;
    }
    return wrong;
  }

  private long farOff(FlatStencil what, int from, int count, ByteBuffer results) {
    boolean single = what.type() == ElementType.F32;
    double magnitude = what.width();
    if (what.reduction() == Reduction.WEIGHTED_SUM) {
      magnitude = 0;
      for (int tap = 0; tap < what.width(); tap++) {
        magnitude += Math.abs(what.weights().get(tap));
      }
    }
    double unit = single ? 0x1p-24 : 0x1p-53;
    double scale = what.reduction() == Reduction.MEAN ? 1.0 / what.width() : 1;
    double bound = (what.width() + 3) * unit * magnitude * scale;
    long wrong = 0;
    for (int i = from; i < from + count; i++) {
      double actual = single ? results.getFloat(4 * i) : results.getDouble(8 * i);
      wrong += Math.abs(actual - answers[i]) <= bound ? 0 : 1;
    }
    return wrong;
  }

  /** Taps outside, outputs inside: the order of each output's taps, as vectors over outputs. */
  private void answerInFloats(FlatStencil what, int from, int count) {
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
    System.arraycopy(result, 0, exactFloats, from, count);
  }

  /** The same in double. */
  private void answerInDoubles(FlatStencil what, int from, int count) {
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
        case WEIGHTED_SUM -> {
          double weight = weight(what, tap);
          for (int i = 0; i < count; i++) {
            result[i] += weight * cells[tap + i];
          }
        }
        default -> {
          for (int i = 0; i < count; i++) {
            result[i] += cells[tap + i];
          }
        }
      }
    }
    for (int i = 0; i < count && reduction == Reduction.MEAN; i++) {
      result[i] /= what.width();
    }
    System.arraycopy(result, 0, answers, from, count);
  }

  /** Weights are values of the element type. */
  private static double weight(FlatStencil what, int tap) {
    double weight = what.weights().get(tap);
    return what.type() == ElementType.F32 ? (float) weight : weight;
  }

  private double[] window(ElementType type, int from, int count) {
    double[] cells = new double[count];
    for (int i = 0; i < count; i++) {
      cells[i] = type == ElementType.F32 ? floats[from + i] : doubles[from + i];
    }
    return cells;
  }
}
