/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.survey.Axis;
import java.util.stream.DoubleStream;

/**
 * Where the values of an axis lie. A logarithmic axis is drawn as an even one over powers of two,
 * so that its ticks are those of sizes and strides: the library has ticks at powers of ten alone.
 */
final class Scale {
  private static final double MARGIN = 0.04;
  private static final double LEAST_OCTAVES = 2;
  private static final double EDGE = 0.05;

  /** Room for a label on a horizontal axis, and on a vertical one. */
  private static final int LABEL_WIDTH_PIXELS = 62;

  private static final int LABEL_HEIGHT_PIXELS = 40;

  private final Axis axis;
  private final boolean powers;
  private final double least;
  private final double greatest;

  private Scale(Axis axis, boolean powers, double least, double greatest) {
    this.axis = axis;
    this.powers = powers;
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
    boolean powers = axis.logarithmic() && DoubleStream.of(seen).allMatch(value -> value > 0);
    double low = DoubleStream.of(seen).min().orElse(powers ? 1 : 0);
    double high = DoubleStream.of(seen).max().orElse(2);
    if (powers) {
      double from = log2(low);
      double to = log2(high);
      if (to - from < LEAST_OCTAVES) { // there would be no two ticks
        return new Scale(axis, true, Math.floor(from) - EDGE, Math.floor(to) + 1 + EDGE);
      }
      double margin = MARGIN * (to - from);
      return new Scale(axis, true, from - margin, to + margin);
    }
    if (fromZero && low >= 0) {
      return new Scale(axis, false, 0, high > 0 ? high * (1 + MARGIN) : 1);
    }
    double margin = high > low ? MARGIN * (high - low) : Math.max(1, Math.abs(high)) / 2;
    return new Scale(axis, false, low - margin, high + margin);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  /** Returns the place of a value on the drawn axis. */
  double place(double value) {
    return powers ? log2(value) : value;
  }

  /** Returns what stands at a place. */
  String label(double place) {
    return Figures.of(axis, powers ? Math.pow(2, Math.round(place)) : rounded(place));
  }

  /** Ticks are sums of steps, whose last digits are not exact. */
  private static double rounded(double place) {
    return Math.abs(place) < 1e-9 ? 0 : Math.round(place * 1e9) / 1e9;
  }

  double least() {
    return least;
  }

  double greatest() {
    return greatest;
  }

  /**
   * Returns how far apart ticks should be so that they stand at whole powers.
   *
   * @param pixels the length of the axis
   */
  int tickPixels(int pixels, boolean horizontal) {
    int room = horizontal ? LABEL_WIDTH_PIXELS : LABEL_HEIGHT_PIXELS;
    if (!powers) {
      return room;
    }
    double octave = pixels / (greatest - least);
    return (int) Math.ceil(Math.max(room, octave));
  }
}
