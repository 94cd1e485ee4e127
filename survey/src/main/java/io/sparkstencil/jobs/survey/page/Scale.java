/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.survey.Axis;
import java.util.stream.DoubleStream;

/**
 * Where the values of an axis lie. A logarithmic axis is drawn as an even one over exponents, of
 * two for sizes and strides and else of ten: the library has no ticks at powers of two, and few on
 * an axis of less than a decade.
 */
final class Scale {
  private static final double MARGIN = 0.04;
  private static final double EDGE = 0.05;

  /** Below it, an axis has more ticks at powers of two. */
  private static final double FEW_DECADES = 1.5;

  /** From it on, powers of two have few digits. */
  private static final double LEAST_PLAIN = 1.0 / 8;

  /** Ticks are sums of steps, whose last digits are not exact. */
  private static final double TICK_PARTS = 1e9;

  /** Room for a label on a horizontal axis, and on a vertical one. */
  private static final int LABEL_WIDTH_PIXELS = 62;

  private static final int LABEL_HEIGHT_PIXELS = 40;

  private final Axis axis;
  private final int base; // 0 for an even axis
  private final boolean whole; // numbers of things: there are none between them
  private final double least;
  private final double greatest;

  private Scale(Axis axis, int base, boolean whole, double least, double greatest) {
    this.axis = axis;
    this.base = base;
    this.whole = whole;
    this.least = least;
    this.greatest = greatest;
  }

  /**
   * Returns the scale of an axis.
   *
   * @param fromZero whether an even axis of positive values begins at zero
   * @param values all that has to be seen; NaN does not count
   */
  static Scale of(Axis axis, boolean fromZero, DoubleStream values) {
    double[] seen = values.filter(Double::isFinite).toArray();
    // Nothing of a logarithmic axis can be drawn at zero or below.
    if (axis.logarithmic() && DoubleStream.of(seen).allMatch(value -> value > 0)) {
      return logarithmic(axis, seen);
    }
    boolean whole = DoubleStream.of(seen).allMatch(value -> value == Math.rint(value));
    double low = DoubleStream.of(seen).min().orElse(0);
    double high = DoubleStream.of(seen).max().orElse(2);
    if (fromZero && low >= 0) {
      return new Scale(axis, 0, whole, 0, high > 0 ? high * (1 + MARGIN) : 1);
    }
    double margin = high > low ? MARGIN * (high - low) : Math.max(1, Math.abs(high)) / 2;
    return new Scale(axis, 0, whole, low - margin, high + margin);
  }

  private static Scale logarithmic(Axis axis, double[] seen) {
    double low = DoubleStream.of(seen).min().orElse(1);
    double high = DoubleStream.of(seen).max().orElse(2);
    boolean twos =
        DoubleStream.of(seen).allMatch(Scale::isPowerOfTwo)
            || (low >= LEAST_PLAIN && Math.log10(high / low) < FEW_DECADES);
    int base = twos ? 2 : 10;
    double from = exponent(base, low);
    double to = exponent(base, high);
    if (Math.floor(to) - Math.ceil(from) < 1) { // there would be no two ticks
      return new Scale(axis, base, true, Math.floor(from) - EDGE, Math.floor(to) + 1 + EDGE);
    }
    double margin = MARGIN * (to - from);
    return new Scale(axis, base, true, from - margin, to + margin);
  }

  private static boolean isPowerOfTwo(double value) {
    return value == Math.scalb(1.0, Math.getExponent(value));
  }

  private static double exponent(int base, double value) {
    return Math.log(value) / Math.log(base);
  }

  /** Returns the place of a value on the drawn axis. */
  double place(double value) {
    return base == 0 ? value : exponent(base, value);
  }

  /**
   * Returns what stands at a place. Places between whole ones have the text of a whole one: the
   * library widens its steps until no two ticks have the same text.
   */
  String label(double place) {
    double tick = whole ? Math.rint(place) : Math.rint(place * TICK_PARTS) / TICK_PARTS;
    String text = Figures.of(axis, (base == 0 ? tick : Math.pow(base, tick)) + 0.0);
    return text.contains(".") ? text.replaceFirst("\\.?0+(e| |$)", "$1") : text;
  }

  double least() {
    return least;
  }

  double greatest() {
    return greatest;
  }

  /** Returns how far apart ticks have to be at least. */
  static int tickPixels(boolean horizontal) {
    return horizontal ? LABEL_WIDTH_PIXELS : LABEL_HEIGHT_PIXELS;
  }
}
