/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.kernels.tuning.LaunchTimer.Timing;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** A curve that is being measured. */
public final class CurveBuilder {
  /** A measurement that differs from its prediction by more has a note. */
  private static final double NEAR = 0.15;

  private final String name;
  private final String reason;
  private final List<Measured> points = new ArrayList<>();

  /**
   * Starts a curve.
   *
   * @param name as in the legend
   * @param reason why a measurement may differ from its prediction, or why there is none
   */
  public CurveBuilder(String name, String reason) {
    this.name = name;
    this.reason = reason;
  }

  /** Adds what was timed, as a rate: {@code amount} over milliseconds in 1e9 a second. */
  public CurveBuilder rate(double x, double amount, Timing timing, double predicted) {
    return add(x, amount / timing.millis() / 1e6, timing, predicted);
  }

  /** Adds what was timed in a unit of which {@code perMilli} make a millisecond. */
  public CurveBuilder duration(double x, double perMilli, Timing timing, double predicted) {
    return add(x, perMilli * timing.millis(), timing, predicted);
  }

  /** Adds a measurement. */
  public CurveBuilder add(double x, double y, Timing timing, double predicted) {
    boolean near = Math.abs(y / predicted - 1) <= NEAR;
    points.add(
        new Measured(x, y, predicted, timing.spread(), timing.samples(), near ? "" : reason));
    return this;
  }

  /** Tells whether anything was measured. */
  public boolean isEmpty() {
    return points.isEmpty();
  }

  /** Returns the curve so far. */
  public Curve build() {
    return new Curve(name, points);
  }

  /** Returns what was measured at {@code x}; NaN if nothing was. */
  public static double at(Curve curve, double x) {
    return curve.points().stream()
        .filter(point -> point.x() == x)
        .mapToDouble(Measured::y)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Returns the greatest measurement of a curve. */
  public static double greatest(Curve curve) {
    return curve.points().stream().mapToDouble(Measured::y).max().orElse(Double.NaN);
  }

  /** Returns the point with the least value. */
  public static Measured slowest(Curve curve) {
    return Collections.min(curve.points(), Comparator.comparingDouble(Measured::y));
  }
}
