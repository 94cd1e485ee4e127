/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * The least and the greatest of the finite values.
 *
 * @param least the least value
 * @param greatest at least as great
 */
public record ValueRange(double least, double greatest) {
  /** Of a signed field, the smaller side is at least this share of the greater one. */
  private static final double SIGNED_SHARE = 0.05;

  private static final double[] ROUND = {1, 2, 5, 10};

  /** Returns the range of some values; both ends are 0 if none is finite. */
  public static ValueRange of(double... values) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      if (Double.isFinite(value)) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    return least > greatest ? new ValueRange(0, 0) : new ValueRange(least, greatest);
  }

  /** Returns the least range that holds both. */
  public ValueRange and(ValueRange other) {
    return new ValueRange(Math.min(least, other.least), Math.max(greatest, other.greatest));
  }

  /** Returns the map that suits the values: a diverging one if they lie on both sides of 0. */
  ColorMap colors() {
    return isSigned() ? ColorMap.DIVERGING : ColorMap.SEQUENTIAL;
  }

  /** Returns the range that is drawn: if it is signed, 0 is in its middle. */
  ValueRange drawn() {
    return isSigned() ? around0() : this;
  }

  /** Returns the least range that holds this one and has 0 in its middle. */
  ValueRange around0() {
    double largest = Math.max(-least, greatest);
    return new ValueRange(-largest, largest);
  }

  private boolean isSigned() {
    return Math.min(-least, greatest) > SIGNED_SHARE * Math.max(-least, greatest);
  }

  /** Returns round numbers in this range: about as many as asked for, at even distances. */
  List<Double> ticks(int about) {
    double width = greatest - least;
    List<Double> ticks = new ArrayList<>();
    if (!(width > 0) || Double.isInfinite(width)) {
      ticks.add(least);
      return ticks;
    }
    double power = Math.pow(10, Math.floor(Math.log10(width / about)));
    double step = ROUND[ROUND.length - 1] * power;
    for (int i = ROUND.length - 2; i >= 0; i--) {
      step = ROUND[i] * power * about >= width * 0.75 ? ROUND[i] * power : step;
    }
    double first = Math.ceil(least / step);
    for (int i = 0; i <= 2 * about && (first + i) * step <= greatest; i++) {
      double tick = (first + i) * step;
      if (ticks.isEmpty() || tick > ticks.get(ticks.size() - 1)) { // ends may have the same digits
        ticks.add(tick);
      }
    }
    return ticks;
  }
}
