/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;

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
   * @param magnitudes for sums of floating-point cells, the sum of the absolute values of what was
   *     added (for a mean, divided by the count), which error bounds are made of; else null
   */
  public record Expected(Object values, byte[] validity, double[] magnitudes) {}

  /** A cell of a frame: its value, and which tap of the frame it is. */
  private record Tap(Number cell, int index) {}

  private SeriesOracle() {}

  /** Computes the results of {@code spec} in exact arithmetic order, cell by cell. */
  public static Expected expected(TestSeries series, StencilSpec spec) {
    int n = series.length();
    Object values = spec.type().newArray(n);
    byte[] validity = new byte[n];
    double[] magnitudes = spec.type().isFloating() ? new double[n] : null;
    for (int i = 0; i < n; i++) {
      one(series, spec, i, values, validity, magnitudes);
    }
    return new Expected(values, validity, magnitudes);
  }

  private static void one(
      TestSeries series,
      StencilSpec spec,
      int i,
      Object values,
      byte[] validity,
      double[] magnitudes) {
    List<Tap> taps = new ArrayList<>();
    boolean outside = false;
    boolean anyNull = false;
    for (int offset = -spec.frame().preceding(); offset <= spec.frame().following(); offset++) {
      int tap = offset + spec.frame().preceding();
      long position = (long) i + offset;
      boolean inside = position >= 0 && position < series.length();
      if (!inside && spec.boundary().leavesMissing()) {
        outside = true;
      } else if (!inside && spec.boundary().mode() == Boundary.Mode.CONSTANT) {
        taps.add(new Tap(constant(spec), tap));
      } else {
        int source = (int) spec.boundary().sourceIndex(position, series.length());
        if (series.isNull(source)) {
          anyNull = true;
        } else {
          taps.add(new Tap((Number) java.lang.reflect.Array.get(series.cells(), source), tap));
        }
      }
    }
    boolean counts = spec.reduction() == Reduction.COUNT;
    boolean valid = counts || !taps.isEmpty();
    valid &= spec.reduction() != Reduction.WEIGHTED_SUM || !anyNull;
    valid &= spec.boundary().mode() != Boundary.Mode.VALID || !outside;
    validity[i] = valid ? (byte) 1 : 0;
    if (!valid) {
      return;
    }
    switch (spec.type()) {
      case F32 -> ((float[]) values)[i] = ofFloats(taps, spec);
      case F64 -> ((double[]) values)[i] = ofDoubles(taps, spec);
      case I32 -> ((int[]) values)[i] = ofInts(taps, spec);
      case I64 -> ((long[]) values)[i] = ofLongs(taps, spec);
    }
    if (magnitudes != null) {
      magnitudes[i] = magnitude(taps, spec);
    }
  }

  private static Number constant(StencilSpec spec) {
    double value = spec.boundary().constant();
    return switch (spec.type()) {
      case F32 -> (float) value;
      case F64 -> value;
      case I32 -> (int) value;
      case I64 -> (long) value;
    };
  }

  private static float ofFloats(List<Tap> taps, StencilSpec spec) {
    float sum = 0;
    for (Tap tap : taps) {
      float cell = tap.cell().floatValue();
      if (spec.reduction() == Reduction.WEIGHTED_SUM) {
        float product = (float) spec.stencil().weights().get(tap.index()) * cell;
        sum = sum + product;
      } else {
        sum = sum + cell;
      }
    }
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> sum;
      case MEAN -> sum / (float) taps.size();
      case MIN, MAX -> (float) extremum(taps, spec.reduction() == Reduction.MAX);
      case COUNT -> taps.size();
    };
  }

  private static double ofDoubles(List<Tap> taps, StencilSpec spec) {
    double sum = 0;
    for (Tap tap : taps) {
      double cell = tap.cell().doubleValue();
      if (spec.reduction() == Reduction.WEIGHTED_SUM) {
        double product = spec.stencil().weights().get(tap.index()) * cell;
        sum = sum + product;
      } else {
        sum = sum + cell;
      }
    }
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> sum;
      case MEAN -> sum / taps.size();
      case MIN, MAX -> extremum(taps, spec.reduction() == Reduction.MAX);
      case COUNT -> taps.size();
    };
  }

  /** NaN is the greatest; zeros are equal; the earliest of equals is kept. */
  private static double extremum(List<Tap> taps, boolean greatest) {
    double chosen = taps.get(0).cell().doubleValue();
    for (Tap tap : taps) {
      double cell = tap.cell().doubleValue();
      double low = greatest ? chosen : cell;
      double high = greatest ? cell : chosen;
      // Double.compare puts NaN last but tells the zeros apart; adding 0.0 makes them one.
      if (Double.compare(low + 0.0, high + 0.0) < 0) {
        chosen = cell;
      }
    }
    return chosen;
  }

  private static int ofInts(List<Tap> taps, StencilSpec spec) {
    int sum = 0;
    for (Tap tap : taps) {
      int weight =
          spec.reduction() == Reduction.WEIGHTED_SUM
              ? (int) spec.stencil().weights().get(tap.index())
              : 1;
      sum += weight * tap.cell().intValue();
    }
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> sum;
      case MEAN -> sum / taps.size();
      case MIN -> taps.stream().mapToInt(tap -> tap.cell().intValue()).min().orElseThrow();
      case MAX -> taps.stream().mapToInt(tap -> tap.cell().intValue()).max().orElseThrow();
      case COUNT -> taps.size();
    };
  }

  private static long ofLongs(List<Tap> taps, StencilSpec spec) {
    long sum = 0;
    for (Tap tap : taps) {
      long weight =
          spec.reduction() == Reduction.WEIGHTED_SUM
              ? (long) spec.stencil().weights().get(tap.index())
              : 1;
      sum += weight * tap.cell().longValue();
    }
    return switch (spec.reduction()) {
      case SUM, WEIGHTED_SUM -> sum;
      case MEAN -> sum / taps.size();
      case MIN -> taps.stream().mapToLong(tap -> tap.cell().longValue()).min().orElseThrow();
      case MAX -> taps.stream().mapToLong(tap -> tap.cell().longValue()).max().orElseThrow();
      case COUNT -> taps.size();
    };
  }

  private static double magnitude(List<Tap> taps, StencilSpec spec) {
    double sum = 0;
    for (Tap tap : taps) {
      double weight =
          spec.reduction() == Reduction.WEIGHTED_SUM
              ? spec.stencil().weights().get(tap.index())
              : 1;
      sum += Math.abs(weight * tap.cell().doubleValue());
    }
    return spec.reduction() == Reduction.MEAN ? sum / taps.size() : sum;
  }

  /** Returns the unit roundoff of a floating-point type: half the distance from 1 to the next. */
  static double unitRoundoff(ElementType type) {
    return type == ElementType.F32 ? 0x1p-24 : 0x1p-53;
  }
}
