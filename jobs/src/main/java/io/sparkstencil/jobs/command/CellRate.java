/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.util.Locale;

/** How fast cells take steps, in a unit in which the number is easy to read. */
public final class CellRate {
  private static final String[] UNITS = {"", "k ", "M ", "G "};

  private CellRate() {}

  /** Returns the text, such as {@code 61.2 k cell-steps}, which "per second" follows. */
  public static String text(double cellStepsPerSecond) {
    double shown = cellStepsPerSecond;
    int unit = 0;
    while (shown >= 999.5 && unit < UNITS.length - 1) {
      shown /= 1000;
      unit++;
    }
    String number =
        shown >= 99.95 || !(shown > 0)
            ? String.format(Locale.ROOT, "%,.0f", shown)
            : String.format(Locale.ROOT, "%.3g", shown);
    return number + " " + UNITS[unit] + "cell-steps";
  }
}
