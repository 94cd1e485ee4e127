/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.benchmarks.loops.PlainLoops;
import io.sparkstencil.benchmarks.loops.TapLoops;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayStencil;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * One stencil over arrays of an RDD, and how its results are checked.
 *
 * @param reduction mean, sum, min, max, or a weighted sum, exact only
 * @param accuracy exact results must have the same bits, fast ones lie within the error bound
 * @param type {@link ElementType#F32} or {@link ElementType#F64}
 * @param radius cells on either side
 */
record PipelineWork(Reduction reduction, Accuracy accuracy, ElementType type, int radius)
    implements Serializable {
  /** Reads what {@link #toString} writes, such as {@code mean/exact/f32/k=8}. */
  static PipelineWork parse(String text) {
    String[] parts = text.toUpperCase(Locale.ROOT).split("/", -1);
    return new PipelineWork(
        parts[0].equals("WEIGHTED") ? Reduction.WEIGHTED_SUM : Reduction.valueOf(parts[0]),
        Accuracy.valueOf(parts[1]),
        ElementType.valueOf(parts[2]),
        Integer.parseInt(parts[3].substring(2)));
  }

  /** Returns cells between 0 and 1: {@code float[]} or {@code double[]}. */
  Object cells(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    if (type == ElementType.F64) {
      return random.doubles(length).toArray();
    }
    float[] cells = new float[length];
    for (int i = 0; i < length; i++) {
      cells[i] = random.nextInt(1 << 24) * 0x1p-24f;
    }
    return cells;
  }

  /** Returns the stencil on an engine, for arrays of class {@code A}. */
  @SuppressWarnings("unchecked") // the caller pairs A with the type
  <A> ArrayStencil<A, A> on(String engine) {
    Frame frame = Frame.radius(radius);
    Stencil stencil =
        switch (reduction) {
          case MEAN -> Stencil.mean(frame);
          case SUM -> Stencil.sum(frame);
          case MIN -> Stencil.min(frame);
          case MAX -> Stencil.max(frame);
          case WEIGHTED_SUM -> Stencil.weighted(frame, weights());
          default -> throw new IllegalArgumentException("no such benchmark: " + reduction);
        };
    Stencil cut = stencil.withBoundary(Boundary.VALID).withAccuracy(accuracy);
    return (ArrayStencil<A, A>)
        (type == ElementType.F32 ? ArrayStencil.ofFloats(cut) : ArrayStencil.ofDoubles(cut))
            .withEngine(engine);
  }

  /** Returns weights that floats hold: a triangle. */
  private double[] weights() {
    double[] weights = new double[width()];
    for (int tap = 0; tap < weights.length; tap++) {
      weights[tap] = (float) ((radius + 1 - Math.abs(tap - radius)) / (radius + 1.0));
    }
    return weights;
  }

  /** Returns a loop over outputs and taps for arrays of this type. */
  UnaryOperator<Object> plain() {
    double[] weights = weights();
    if (type == ElementType.F64) {
      return cells -> PlainLoops.apply(reduction, weights, (double[]) cells);
    }
    float[] narrow = new float[weights.length];
    for (int tap = 0; tap < narrow.length; tap++) {
      narrow[tap] = (float) weights[tap];
    }
    return cells -> PlainLoops.apply(reduction, narrow, (float[]) cells);
  }

  /** Returns loops over taps and outputs for arrays of this type. */
  UnaryOperator<Object> tapByTap() {
    double[] weights = weights();
    return type == ElementType.F32
        ? cells -> TapLoops.apply(reduction, weights, (float[]) cells)
        : cells -> TapLoops.apply(reduction, weights, (double[]) cells);
  }

  /**
   * Returns how many of {@code results} are not those expected, nor, if fast, within the error
   * bound of them.
   */
  long wrong(Object expected, Object results) {
    int outputs = Array.getLength(expected);
    if (Array.getLength(results) != outputs) {
      return Math.max(1, outputs);
    }
    IntToDoubleFunction wanted = reader(expected);
    IntToDoubleFunction given = reader(results);
    double allowed = allowed(type == ElementType.F32 ? 0x1p-24 : 0x1p-53);
    long wrong = 0;
    for (int i = 0; i < outputs; i++) {
      wrong += Math.abs(given.applyAsDouble(i) - wanted.applyAsDouble(i)) <= allowed ? 0 : 1;
    }
    return wrong;
  }

  private static IntToDoubleFunction reader(Object cells) {
    return cells instanceof float[] floats ? i -> floats[i] : i -> ((double[]) cells)[i];
  }

  private boolean isSum() {
    return reduction == Reduction.MEAN || reduction == Reduction.SUM;
  }

  private int width() {
    return 2 * radius + 1;
  }

  private double allowed(double unitRoundoff) {
    return accuracy == Accuracy.EXACT || !isSum() ? 0 : errorBound(unitRoundoff);
  }

  /** Two sums of cells up to 1, each in an order of its own, and two roundings of a mean. */
  private double errorBound(double unitRoundoff) {
    double ofSum = 2.0 * width() * unitRoundoff * width();
    return reduction == Reduction.MEAN ? ofSum / width() + 3 * unitRoundoff : ofSum;
  }

  @Override
  public String toString() {
    String name = reduction == Reduction.WEIGHTED_SUM ? "weighted" : reduction.name();
    return "%s/%s/%s/k=%d".formatted(name, accuracy, type, radius).toLowerCase(Locale.ROOT);
  }
}
