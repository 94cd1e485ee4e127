/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import io.sparkstencil.survey.Axis;
import java.util.Arrays;
import java.util.Locale;

/** How numbers are written for people. */
public final class Figures {
  private static final String[] BYTES = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  private static final double LEAST_PLAIN = 1e-3;
  private static final double MOST_PLAIN = 1e7;

  private Figures() {}

  /** Returns a number with three or more digits that count; a hyphen for NaN. */
  public static String plain(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double size = Math.abs(value);
    if (size >= MOST_PLAIN || (size > 0 && size < LEAST_PLAIN)) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** Returns a number of bytes in the largest unit that it has one of. */
  public static String bytes(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    int unit = 0;
    double scaled = value;
    while (Math.abs(scaled) >= 1024 && unit < BYTES.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return plain(scaled) + " " + BYTES[unit];
  }

  /** Returns a value of an axis without its unit, but for bytes, which bring theirs. */
  public static String of(Axis axis, double value) {
    return isBytes(axis) ? bytes(value) : plain(value);
  }

  /** Returns an axis with its unit. */
  public static String title(Axis axis) {
    return axis.unit().isEmpty() || isBytes(axis)
        ? axis.label()
        : "%s (%s)".formatted(axis.label(), axis.unit());
  }

  /** Returns a value with its unit. */
  public static String withUnit(double value, String unit) {
    return isBytes(unit) ? bytes(value) : (plain(value) + " " + unit).strip();
  }

  /** Returns a share as per cent; a hyphen for NaN. */
  public static String percent(double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Returns the median of values, in any order; NaN if there are none. */
  public static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static boolean isBytes(Axis axis) {
    return isBytes(axis.unit());
  }

  private static boolean isBytes(String unit) {
    return unit.equals("bytes") || unit.equals("B");
  }
}
