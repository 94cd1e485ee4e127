/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;

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
   * @param magnitudes for floating-point cells, the sum of the absolute values of what was added
   *     (for a mean, divided by the count), which error bounds are made of; else null
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  public record Expected(Object values, byte[] validity, double[] magnitudes) {}

  private final TestSeries series;
  private final StencilSpec spec;
  private final Object values;
  private final byte[] validity;
  private final double[] magnitudes;

  // The frame at hand: cells that are there, and which tap of the frame each is.
  private final Object cells;
  private final int[] taps;
  private int count;

  private SeriesOracle(TestSeries series, StencilSpec spec) {
    this.series = series;
    this.spec = spec;
    this.values = spec.type().newArray(series.length());
    this.validity = new byte[series.length()];
    this.magnitudes = spec.type().isFloating() ? new double[series.length()] : null;
    this.cells = spec.type().newArray(spec.frame().width());
    this.taps = new int[spec.frame().width()];
  }

  /** Computes the results of {@code spec} in exact arithmetic order, cell by cell. */
  public static Expected expected(TestSeries series, StencilSpec spec) {
    SeriesOracle oracle = new SeriesOracle(series, spec);
    for (int i = 0; i < series.length(); i++) {
      oracle.one(i);
    }
    return new Expected(oracle.values, oracle.validity, oracle.magnitudes);
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
    SeriesOracle oracle = new SeriesOracle(series, spec);
    System.arraycopy(other.values(), from, oracle.values, from, end - from);
    System.arraycopy(other.validity(), from, oracle.validity, from, end - from);
    if (oracle.magnitudes != null) {
      System.arraycopy(other.magnitudes(), from, oracle.magnitudes, from, end - from);
    }
    for (int i = 0; i < from; i++) {
      oracle.one(i);
    }
    for (int i = end; i < n; i++) {
      oracle.one(i);
    }
    return new Expected(oracle.values, oracle.validity, oracle.magnitudes);
  }

  private void one(int i) {
    boolean outside = false;
    boolean anyNull = false;
    count = 0;
    int length = series.length();
    for (int offset = -spec.frame().preceding(); offset <= spec.frame().following(); offset++) {
      long position = (long) i + offset;
      boolean inside = position >= 0 && position < length;
      if (!inside && spec.boundary().leavesMissing()) {
        outside = true;
        continue;
      }
      if (!inside && spec.boundary().mode() == Boundary.Mode.CONSTANT) {
        putConstant();
      } else {
        int source = (int) spec.boundary().sourceIndex(position, length);
        if (series.isNull(source)) {
          anyNull = true;
          continue;
        }
        putCell(source);
      }
      taps[count++] = offset + spec.frame().preceding();
    }
    boolean valid = spec.reduction() == Reduction.COUNT || count > 0;
    valid &= spec.reduction() != Reduction.WEIGHTED_SUM || !anyNull;
    valid &= spec.boundary().mode() != Boundary.Mode.VALID || !outside;
    validity[i] = valid ? (byte) 1 : 0;
    if (valid) {
      reduce(i);
    }
  }

  private void putConstant() {
    double value = spec.boundary().constant();
    switch (spec.type()) {
      case F32 -> ((float[]) cells)[count] = (float) value;
      case F64 -> ((double[]) cells)[count] = value;
      case I32 -> ((int[]) cells)[count] = (int) value;
      case I64 -> ((long[]) cells)[count] = (long) value;
    }
  }

  private void putCell(int source) {
    switch (spec.type()) {
      case F32 -> ((float[]) cells)[count] = ((float[]) series.cells())[source];
      case F64 -> ((double[]) cells)[count] = ((double[]) series.cells())[source];
      case I32 -> ((int[]) cells)[count] = ((int[]) series.cells())[source];
      case I64 -> ((long[]) cells)[count] = ((long[]) series.cells())[source];
    }
  }

  private double weight(int j) {
    return spec.reduction() == Reduction.WEIGHTED_SUM ? spec.stencil().weights().get(taps[j]) : 1;
  }

  private void reduce(int i) {
    switch (spec.type()) {
      case F32 -> ((float[]) values)[i] = ofFloats((float[]) cells);
      case F64 -> ((double[]) values)[i] = ofDoubles((double[]) cells);
      case I32 -> ((int[]) values)[i] = (int) ofIntegers();
      case I64 -> ((long[]) values)[i] = ofIntegers();
    }
    if (magnitudes != null) {
      double sum = 0;
      for (int j = 0; j < count; j++) {
        sum += Math.abs(weight(j) * asDouble(j));
      }
      magnitudes[i] = spec.reduction() == Reduction.MEAN ? sum / count : sum;
    }
  }

  private double asDouble(int j) {
    return spec.type() == ElementType.F32 ? ((float[]) cells)[j] : ((double[]) cells)[j];
  }

  private float ofFloats(float[] frame) {
    float sum = 0;
    for (int j = 0; j < count; j++) {
      float product = ((float) weight(j)) * frame[j];
      sum = sum + product;
    }
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> sum;
      case MEAN -> sum / (float) count;
      case MIN, MAX -> (float) extremum(spec.reduction() == Reduction.MAX);
      case COUNT -> count;
    };
  }

  private double ofDoubles(double[] frame) {
    double sum = 0;
    for (int j = 0; j < count; j++) {
      double product = weight(j) * frame[j];
      sum = sum + product;
    }
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> sum;
      case MEAN -> sum / count;
      case MIN, MAX -> extremum(spec.reduction() == Reduction.MAX);
      case COUNT -> count;
    };
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

  private long asLong(int j) {
    return spec.type() == ElementType.I32 ? ((int[]) cells)[j] : ((long[]) cells)[j];
  }

  /** Sums wrap at 64 bits, and for I32 at 32 bits. */
  private long ofIntegers() {
    long sum = 0;
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int j = 0; j < count; j++) {
      sum += ((long) weight(j)) * asLong(j);
      least = Math.min(least, asLong(j));
      greatest = Math.max(greatest, asLong(j));
    }
    long wrapped = spec.type() == ElementType.I32 ? (int) sum : sum;
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> wrapped;
      case MEAN -> throw new IllegalStateException("means are not computed in integers");
      case MIN -> least;
      case MAX -> greatest;
      case COUNT -> count;
    };
  }

  /** Returns the unit roundoff of a floating-point type: half the distance from 1 to the next. */
  static double unitRoundoff(ElementType type) {
    return type == ElementType.F32 ? 0x1p-24 : 0x1p-53;
  }
}
