/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a stencil gives over a whole series, from the definition alone: the frame of every cell is
 * looked up by the index rule of the boundary, without staging, halos or engines.
 */
public final class SeriesOracle {
  /**
   * The expected results.
   *
   * @param values primitive array of the element type; entries of null results mean nothing
   * @param validity 1 for a result, 0 for null; never null
   * @param magnitudes for sums and means of floating-point cells, the sum of the absolute values of
   *     what was added (for a mean, divided by the count), which error bounds are made of; else
   *     null
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  public record Expected(Object values, byte[] validity, double[] magnitudes) {}

  /** Where the source of a cell is the boundary's constant. */
  private static final int CONSTANT = -1;

  private final TestSeries series;
  private final Boundary boundary;
  private final Frame frame;
  private final List<Results> results = new ArrayList<>();

  // The frame at hand: cells that are there, and which tap of the frame and which cell of the
  // series
  // each is.
  private final Object cells;
  private final int[] taps;
  private final int[] sources;
  private int count;
  private boolean outside;
  private boolean anyNull;

  private SeriesOracle(TestSeries series, Boundary boundary, Frame frame) {
    this.series = series;
    this.boundary = boundary;
    this.frame = frame;
    this.cells = series.type().newArray(frame.width());
    this.taps = new int[frame.width()];
    this.sources = new int[frame.width()];
  }

  /** Computes the results of {@code spec} in exact arithmetic order, cell by cell. */
  public static Expected expected(TestSeries series, StencilSpec spec) {
    return expected(series, List.of(spec)).get(0);
  }

  /**
   * Computes the results of each of {@code specs} in exact arithmetic order, cell by cell. Stencils
   * with the same frames look them up once, and those that differ by accuracy have the same
   * results.
   */
  public static List<Expected> expected(TestSeries series, List<StencilSpec> specs) {
    Map<List<Object>, SeriesOracle> oracles = new HashMap<>();
    Map<StencilSpec, Results> results = new HashMap<>();
    for (StencilSpec spec : specs) {
      SeriesOracle oracle =
          oracles.computeIfAbsent(
              List.of(spec.boundary(), spec.frame()),
              key -> new SeriesOracle(series, spec.boundary(), spec.frame()));
      results.computeIfAbsent(reproducible(spec), oracle::add);
    }
    for (SeriesOracle oracle : oracles.values()) {
      for (int i = 0; i < series.length(); i++) {
        oracle.one(i);
      }
    }
    return specs.stream().map(spec -> results.get(reproducible(spec)).expected()).toList();
  }

  /** Returns what fixes the bits: fused products do, other accuracies are compared with exact. */
  private static StencilSpec reproducible(StencilSpec spec) {
    return spec.fusesProducts()
        ? spec
        : new StencilSpec(spec.stencil().withAccuracy(Accuracy.EXACT), spec.type());
  }

  private Results add(StencilSpec spec) {
    if (spec.type() != series.type()) {
      throw new IllegalArgumentException(spec + " is not of the type " + series.type());
    }
    Results added = new Results(spec);
    results.add(added);
    return added;
  }

  /**
   * Computes the results of {@code spec}, those of whole frames from the results of the same
   * stencil under another boundary: no boundary has a part in them.
   *
   * @param other results over the same series
   * @param otherSpec the stencil that they are of
   */
  static Expected expected(
      TestSeries series, StencilSpec spec, Expected other, StencilSpec otherSpec) {
    Stencil same = otherSpec.stencil().withBoundary(spec.boundary());
    if (!same.equals(spec.stencil()) || otherSpec.type() != spec.type()) {
      throw new IllegalArgumentException(spec + " differs by more than the boundary: " + otherSpec);
    }
    int n = series.length();
    int from = Math.min(n, Math.max(0, spec.frame().preceding()));
    int end = Math.max(from, Math.min(n, n - spec.frame().following()));
    SeriesOracle oracle = new SeriesOracle(series, spec.boundary(), spec.frame());
    Results results = oracle.add(spec);
    System.arraycopy(other.values(), from, results.values, from, end - from);
    System.arraycopy(other.validity(), from, results.validity, from, end - from);
    if (results.magnitudes != null) {
      System.arraycopy(other.magnitudes(), from, results.magnitudes, from, end - from);
    }
    for (int i = 0; i < from; i++) {
      oracle.one(i);
    }
    for (int i = end; i < n; i++) {
      oracle.one(i);
    }
    return results.expected();
  }

  private void one(int i) {
    lookUp(i);
    for (Results each : results) {
      each.put(i);
    }
  }

  private void lookUp(int i) {
    outside = false;
    anyNull = false;
    count = 0;
    int length = series.length();
    boolean leavesMissing = boundary.leavesMissing();
    boolean constant = boundary.mode() == Boundary.Mode.CONSTANT;
    for (int offset = -frame.preceding(); offset <= frame.following(); offset++) {
      long position = (long) i + offset;
      boolean inside = position >= 0 && position < length;
      if (!inside && leavesMissing) {
        outside = true;
        continue;
      }
      if (!inside && constant) {
        sources[count] = CONSTANT;
      } else {
        int source = inside ? (int) position : (int) boundary.sourceIndex(position, length);
        if (series.isNull(source)) {
          anyNull = true;
          continue;
        }
        sources[count] = source;
      }
      taps[count++] = offset + frame.preceding();
    }
    switch (series.type()) {
      case F32 -> take((float[]) series.cells(), (float[]) cells);
      case F64 -> take((double[]) series.cells(), (double[]) cells);
      case I32 -> take((int[]) series.cells(), (int[]) cells);
      case I64 -> take((long[]) series.cells(), (long[]) cells);
    }
  }

  private void take(float[] from, float[] into) {
    for (int j = 0; j < count; j++) {
      into[j] = sources[j] == CONSTANT ? (float) boundary.constant() : from[sources[j]];
    }
  }

  private void take(double[] from, double[] into) {
    for (int j = 0; j < count; j++) {
      into[j] = sources[j] == CONSTANT ? boundary.constant() : from[sources[j]];
    }
  }

  private void take(int[] from, int[] into) {
    for (int j = 0; j < count; j++) {
      into[j] = sources[j] == CONSTANT ? (int) boundary.constant() : from[sources[j]];
    }
  }

  private void take(long[] from, long[] into) {
    for (int j = 0; j < count; j++) {
      into[j] = sources[j] == CONSTANT ? (long) boundary.constant() : from[sources[j]];
    }
  }

  private double asDouble(int j) {
    return series.type() == ElementType.F32 ? ((float[]) cells)[j] : ((double[]) cells)[j];
  }

  private long asLong(int j) {
    return series.type() == ElementType.I32 ? ((int[]) cells)[j] : ((long[]) cells)[j];
  }

  /** Returns the unit roundoff of a floating-point type: half the distance from 1 to the next. */
  static double unitRoundoff(ElementType type) {
    return type == ElementType.F32 ? 0x1p-24 : 0x1p-53;
  }

  /** What one stencil makes of the frames. */
  private final class Results {
    private final Reduction reduction;
    private final double[] weights;
    private final boolean fused;
    private final Object values;
    private final byte[] validity = new byte[series.length()];
    private final double[] magnitudes;

    private Results(StencilSpec spec) {
      this.reduction = spec.reduction();
      this.fused = spec.fusesProducts();
      this.values = spec.type().newArray(series.length());
      boolean sums = !reduction.chooses() && reduction != Reduction.COUNT;
      this.magnitudes = sums && spec.type().isFloating() ? new double[series.length()] : null;
      if (reduction == Reduction.WEIGHTED_SUM) {
        this.weights = spec.stencil().weights().toArray();
      } else {
        this.weights = new double[frame.width()];
        Arrays.fill(weights, 1);
      }
    }

    private Expected expected() {
      return new Expected(values, validity, magnitudes);
    }

    private void put(int i) {
      boolean valid = reduction == Reduction.COUNT || count > 0;
      valid &= reduction != Reduction.WEIGHTED_SUM || !anyNull;
      valid &= boundary.mode() != Boundary.Mode.VALID || !outside;
      validity[i] = valid ? (byte) 1 : 0;
      if (valid) {
        reduce(i);
      }
    }

    private void reduce(int i) {
      switch (series.type()) {
        case F32 -> ((float[]) values)[i] = ofFloats((float[]) cells);
        case F64 -> ((double[]) values)[i] = ofDoubles((double[]) cells);
        case I32 -> ((int[]) values)[i] = (int) ofIntegers();
        case I64 -> ((long[]) values)[i] = ofIntegers();
      }
      if (magnitudes != null) {
        double sum = 0;
        for (int j = 0; j < count; j++) {
          sum += Math.abs(weights[taps[j]] * asDouble(j));
        }
        magnitudes[i] = reduction == Reduction.MEAN ? sum / count : sum;
      }
    }

    private float ofFloats(float[] frame) {
      return switch (reduction) {
        case SUM, WEIGHTED_SUM -> sum(frame);
        case MEAN -> sum(frame) / (float) count;
        case MIN, MAX -> (float) extremum(reduction == Reduction.MAX);
        case COUNT -> count;
      };
    }

    private float sum(float[] frame) {
      float sum = 0;
      for (int j = 0; j < count; j++) {
        float weight = (float) weights[taps[j]];
        float product = weight * frame[j];
        sum = fused ? Math.fma(weight, frame[j], sum) : sum + product;
      }
      return sum + 0.0F;
    }

    private double ofDoubles(double[] frame) {
      return switch (reduction) {
        case SUM, WEIGHTED_SUM -> sum(frame);
        case MEAN -> sum(frame) / count;
        case MIN, MAX -> extremum(reduction == Reduction.MAX);
        case COUNT -> count;
      };
    }

    private double sum(double[] frame) {
      double sum = 0;
      for (int j = 0; j < count; j++) {
        double product = weights[taps[j]] * frame[j];
        sum = fused ? Math.fma(weights[taps[j]], frame[j], sum) : sum + product;
      }
      return sum + 0.0;
    }

    /** NaN is the greatest; zeros are equal; the earliest of equals is kept. */
    private double extremum(boolean greatest) {
      double chosen = asDouble(0);
      for (int j = 1; j < count; j++) {
        double cell = asDouble(j);
        double low = greatest ? chosen : cell;
        double high = greatest ? cell : chosen;
        // Double.compare puts NaN last but tells the zeros apart; adding 0.0 makes them one.
        if (Double.compare(low + 0.0, high + 0.0) < 0) {
          chosen = cell;
        }
      }
      return chosen;
    }

    private long ofIntegers() {
      return switch (reduction) {
        case SUM, WEIGHTED_SUM -> sum();
        case MEAN -> throw new IllegalStateException("means are not computed in integers");
        case MIN -> extreme(false);
        case MAX -> extreme(true);
        case COUNT -> count;
      };
    }

    /** Sums wrap at 64 bits, and for I32 at 32 bits. */
    private long sum() {
      long sum = 0;
      for (int j = 0; j < count; j++) {
        sum += ((long) weights[taps[j]]) * asLong(j);
      }
      return series.type() == ElementType.I32 ? (int) sum : sum;
    }

    private long extreme(boolean greatest) {
      long chosen = asLong(0);
      for (int j = 1; j < count; j++) {
        chosen = greatest ? Math.max(chosen, asLong(j)) : Math.min(chosen, asLong(j));
      }
      return chosen;
    }
  }
}
