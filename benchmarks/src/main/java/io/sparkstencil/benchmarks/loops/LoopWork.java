/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.loops;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.model.Weights;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * One stencil of a benchmark, as an engine takes it and as plain Java, and how results are checked.
 *
 * @param reduction mean, sum, min, max, or a weighted sum
 * @param accuracy exact results and those of fused products must have the same bits, fast ones lie
 *     within the error bound
 * @param type {@link ElementType#F32} or {@link ElementType#F64}
 * @param radius cells on either side
 */
public record LoopWork(Reduction reduction, Accuracy accuracy, ElementType type, int radius)
    implements Serializable {
  private static final String WEIGHTED = "weighted";

  /** Reads what {@link #toString} writes, such as {@code mean/exact/f32/k=8}. */
  public static LoopWork parse(String text) {
    String[] parts = text.toUpperCase(Locale.ROOT).split("/", -1);
    return new LoopWork(
        text.startsWith(WEIGHTED) ? Reduction.WEIGHTED_SUM : Reduction.valueOf(parts[0]),
        Accuracy.valueOf(parts[1]),
        ElementType.valueOf(parts[2]),
        Integer.parseInt(parts[3].substring(2)));
  }

  /** Returns cells between -1 and 1: {@code float[]} or {@code double[]}. */
  public Object cells(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    if (type == ElementType.F64) {
      return random.doubles(length, -1, 1).toArray();
    }
    float[] cells = new float[length];
    for (int i = 0; i < length; i++) {
      cells[i] = random.nextInt() * 0x1p-31f;
    }
    return cells;
  }

  /** Returns the cells of a frame. */
  public int width() {
    return 2 * radius + 1;
  }

  /** Returns the stencil over this type of cells, of the frames that lie within the series. */
  public StencilSpec spec() {
    boolean weighted = reduction == Reduction.WEIGHTED_SUM;
    Weights weights = weighted ? Weights.of(weights()) : Weights.NONE;
    return new StencilSpec(
        new Stencil(reduction, Frame.radius(radius), weights, Boundary.VALID, accuracy), type);
  }

  /** Returns a weight between -1 and 1 for each tap, which floats hold; of others, ones. */
  private double[] weights() {
    return new SplittableRandom(radius)
        .doubles(width(), -1, 1)
        .map(weight -> reduction == Reduction.WEIGHTED_SUM ? (float) weight : 1)
        .toArray();
  }

  /** Returns the results of a loop over outputs and taps. */
  public Object plain(Object cells) {
    return PlainLoops.apply(reduction, accuracy == Accuracy.FMA, weights(), cells);
  }

  /** Returns the results of loops over taps and outputs, which become vector instructions. */
  public Object tapByTap(Object cells) {
    return TapLoops.apply(reduction, accuracy == Accuracy.FMA, weights(), cells);
  }

  /** Returns how many of {@code results} are not as expected; at least one if too many or few. */
  public long wrong(Object expected, Object results) {
    int outputs = Array.getLength(expected);
    return Array.getLength(results) == outputs
        ? wrong(expected, 0, outputs, reader(results))
        : Math.max(1, outputs);
  }

  /**
   * Returns how many results are neither those expected nor, if fast, within the error bound.
   *
   * @param expected what the loops come to
   * @param from the first result to look at
   * @param to after the last one
   * @param results by the same indices
   */
  public long wrong(Object expected, int from, int to, IntToDoubleFunction results) {
    IntToDoubleFunction wanted = reader(expected);
    double allowed = allowed();
    long wrong = 0;
    for (int i = from; i < to; i++) {
      double right = wanted.applyAsDouble(i);
      double given = results.applyAsDouble(i);
      boolean same = Double.compare(given, right) == 0 || Math.abs(given - right) <= allowed;
      wrong += same ? 0 : 1;
    }
    return wrong;
  }

  private static IntToDoubleFunction reader(Object cells) {
    return cells instanceof float[] floats ? i -> floats[i] : i -> ((double[]) cells)[i];
  }

  /**
   * Returns by how much two fast sums of cells up to 1 may differ, each in an order of its own and,
   * of a mean, scaled; below 0 where all bits must be the same.
   */
  private double allowed() {
    if (accuracy != Accuracy.FAST || reduction == Reduction.MIN || reduction == Reduction.MAX) {
      return -1;
    }
    double scale = reduction == Reduction.MEAN ? 1.0 / width() : 1;
    double unitRoundoff = type == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    return 2
        * (width() + 3)
        * unitRoundoff
        * DoubleStream.of(weights()).map(Math::abs).sum()
        * scale;
  }

  @Override
  public String toString() {
    String name = reduction == Reduction.WEIGHTED_SUM ? WEIGHTED : reduction.name();
    return "%s/%s/%s/k=%d".formatted(name, accuracy, type, radius).toLowerCase(Locale.ROOT);
  }
}
