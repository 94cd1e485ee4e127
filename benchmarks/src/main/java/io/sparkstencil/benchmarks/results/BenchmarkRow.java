/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import java.util.Collection;
import java.util.Locale;

/**
 * One measurement.
 *
 * @param name the work: suite/operation/accuracy/type/parameters
 * @param subject what ran
 * @param against the peer or limit that {@code ratio} is taken with
 * @param value the median
 * @param unit the unit of {@code value}
 * @param ratio how fast compared with {@code against}: larger is better, 1 is equal
 * @param spread (p90 - p10) / median
 * @param repeats the number of measurements
 * @param checked whether the result of this very run was compared with the reference
 * @param note what else there is to say; the reason, if the row failed
 */
public record BenchmarkRow(
    String name,
    String subject,
    String against,
    double value,
    String unit,
    double ratio,
    double spread,
    int repeats,
    boolean checked,
    String note) {
  private static final String MEASURED_AT = "measured at ";

  /**
   * Returns the row of repeated measurements.
   *
   * @param values the measurements, of which the row has the median
   */
  public static BenchmarkRow of(
      String name,
      String subject,
      String against,
      Collection<Double> values,
      String unit,
      double ratio,
      boolean checked,
      String note) {
    return new BenchmarkRow(
        name,
        subject,
        against,
        Quantiles.median(values),
        unit,
        ratio,
        Quantiles.spread(values),
        values.size(),
        checked,
        note);
  }

  /** Returns this row compared with another peer. */
  public BenchmarkRow against(String peer, double newRatio) {
    return new BenchmarkRow(
        name, subject, peer, value, unit, newRatio, spread, repeats, checked, note);
  }

  /** Returns this row with a note of the commit it was measured at, unless it has one. */
  BenchmarkRow measuredAt(String commit) {
    if (note.contains(MEASURED_AT)) {
      return this;
    }
    return noted(MEASURED_AT + commit);
  }

  /** Returns this row with one note more, unless that is empty. */
  public BenchmarkRow noted(String more) {
    String all = note + (note.isEmpty() || more.isEmpty() ? "" : "; ") + more;
    return new BenchmarkRow(
        name, subject, against, value, unit, ratio, spread, repeats, checked, all);
  }

  /** Returns the row as one line of progress. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%-40s %s: %.4g %s, %.3f of %s%s",
        name,
        subject,
        value,
        unit,
        ratio,
        against,
        note.isEmpty() ? "" : " (" + note + ")");
  }
}
