/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.loops.TapLoops;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.DoubleStream;
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
      magnitude = DoubleStream.of(weights(what)).map(Math::abs).sum();
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

  private void answerInFloats(FlatStencil what, int from, int count) {
    float[] cells = Arrays.copyOfRange(floats, from, from + count + what.width() - 1);
    float[] results = TapLoops.apply(what.reduction(), weights(what), cells);
    System.arraycopy(results, 0, exactFloats, from, count);
  }

  private void answerInDoubles(FlatStencil what, int from, int count) {
    double[] cells = new double[count + what.width() - 1];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = doubles == null ? floats[from + i] : doubles[from + i];
    }
    double[] results = TapLoops.apply(what.reduction(), weights(what), cells);
    System.arraycopy(results, 0, answers, from, count);
  }

  /** Returns a weight for each tap, values of the element type; only their number may matter. */
  private static double[] weights(FlatStencil what) {
    double[] weights = new double[what.width()];
    for (int tap = 0; what.reduction() == Reduction.WEIGHTED_SUM && tap < weights.length; tap++) {
      double weight = what.weights().get(tap);
      weights[tap] = what.type() == ElementType.F32 ? (float) weight : weight;
    }
    return weights;
  }
}
