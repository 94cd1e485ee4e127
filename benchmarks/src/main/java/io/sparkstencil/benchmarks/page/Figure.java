/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How figures are written. */
final class Figure {
  private static final Pattern MEASURED_AT = Pattern.compile("measured at (\\w+)");
  private static final double FEW = 10;
  private static final double MANY = 1000;

  private Figure() {}

  /** Returns a number with two or three digits that count. */
  static String of(double value) {
    if (value >= MANY) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value >= FEW ? "%.0f" : "%.1f", value);
  }

  /** Returns the least and the greatest of what rows have, as {@code 2.2 to 3.6}. */
  static String range(List<BenchmarkRow> rows, ToDoubleFunction<BenchmarkRow> figure) {
    DoubleSummaryStatistics all = rows.stream().mapToDouble(figure).summaryStatistics();
    return of(all.getMin()) + " to " + of(all.getMax());
  }

  /** Returns a ratio with as many digits as it is worth. */
  static String ratio(double ratio) {
    return ratio < FEW ? String.format(Locale.ROOT, "%.2f", ratio) : of(ratio);
  }

  /** Returns a median with its unit. */
  static String median(BenchmarkRow row) {
    return String.format(Locale.ROOT, "%.4g %s", row.value(), row.unit());
  }

  /** Returns the commit at which a row of a file was measured. */
  static String commit(BenchmarkRow row, String commitOfFile) {
    Matcher older = MEASURED_AT.matcher(row.note());
    return older.find() ? older.group(1) : commitOfFile;
  }
}
