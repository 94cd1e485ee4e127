/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often operators of ours computed each function of random windows over each kind of frame. */
final class CaseCounts {
  private static final Pattern FUNCTION = Pattern.compile("(\\w+)\\(.*?( ignore nulls)? over \\(");

  private static final Pattern FRAME =
      Pattern.compile("(rows|range) (between (.+?) and (.+?)|unbounded preceding)\\)");

  /**
   * A kind of window.
   *
   * @param keys series if it is over series given by keys, all if not
   */
  private record Kind(String function, String frame, String keys) {
    @Override
    public String toString() {
      return String.join(", ", function, frame, keys);
    }

    static Kind of(String text) {
      String[] parts = text.split(", ", 3);
      return new Kind(parts[0], parts[1], parts[2]);
    }
  }

  private final Map<Kind, Integer> counts = new HashMap<>();
  private int queries;
  private int windows;
  private int limited;
  private int columnar;
  private int scanned;
  private int collected;
  private int cumulative;

  /**
   * Adds a query that had Spark's results.
   *
   * @param ran its windows, or none of them if some stayed with Spark
   * @param isLimited whether few rows of each series were wanted
   */
  void add(CaseQuery query, List<String> ran, boolean isLimited) {
    queries++;
    windows += query.windows().size();
    limited += isLimited ? 1 : 0;
    for (String window : ran) {
      String keys = window.contains("partition by") ? "series" : "all";
      counts.merge(new Kind(function(window), frame(window), keys), 1, Integer::sum);
    }
  }

  /**
   * Adds one to the queries whose rows were columns.
   *
   * @param isScanned whether they were columns from the scan on
   */
  void addColumnar(boolean isScanned) {
    columnar++;
    scanned += isScanned ? 1 : 0;
  }

  /**
   * Adds an operator of windows that are no stencils, if its rows were columns.
   *
   * @param results whether its results were columns, too
   */
  void addCollected(boolean areColumns, boolean results) {
    collected += areColumns ? 1 : 0;
    cumulative += results ? 1 : 0;
  }

  /** Adds what earlier runs have counted and written to a file, and writes the sums there. */
  void addThoseOf(Path file) throws IOException {
    Properties sums = new Properties();
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        sums.load(reader);
      }
    }
    queries += Integer.parseInt(sums.getProperty("queries", "0"));
    windows += Integer.parseInt(sums.getProperty("windows", "0"));
    limited += Integer.parseInt(sums.getProperty("limited", "0"));
    columnar += Integer.parseInt(sums.getProperty("columnar", "0"));
    scanned += Integer.parseInt(sums.getProperty("scanned", "0"));
    collected += Integer.parseInt(sums.getProperty("collected", "0"));
    cumulative += Integer.parseInt(sums.getProperty("cumulative", "0"));
    for (String name : sums.stringPropertyNames()) {
      if (name.contains(", ")) {
        counts.merge(Kind.of(name), Integer.parseInt(sums.getProperty(name)), Integer::sum);
      }
    }
    sums.setProperty("queries", String.valueOf(queries));
    sums.setProperty("windows", String.valueOf(windows));
    sums.setProperty("limited", String.valueOf(limited));
    sums.setProperty("columnar", String.valueOf(columnar));
    sums.setProperty("scanned", String.valueOf(scanned));
    sums.setProperty("collected", String.valueOf(collected));
    sums.setProperty("cumulative", String.valueOf(cumulative));
    counts.forEach((kind, count) -> sums.setProperty(kind.toString(), String.valueOf(count)));
    try (Writer writer = Files.newBufferedWriter(file)) {
      sums.store(writer, null);
    }
  }

  int queries() {
    return queries;
  }

  int windows() {
    return windows;
  }

  /** Returns the number of queries that wanted few rows of each series. */
  int limited() {
    return limited;
  }

  /** Returns the number of queries whose rows were columns. */
  int columnar() {
    return columnar;
  }

  /** Returns the number of those whose rows were columns from the scan on. */
  int scanned() {
    return scanned;
  }

  int collected() {
    return collected;
  }

  int cumulative() {
    return cumulative;
  }

  private static String function(String window) {
    Matcher function = FUNCTION.matcher(window);
    if (!function.find()) {
      throw new IllegalArgumentException("no function in " + window);
    }
    return function.group(1) + (function.group(2) == null ? "" : function.group(2));
  }

  private static String frame(String window) {
    Matcher frame = FRAME.matcher(window);
    if (!frame.find()) {
      return "default";
    }
    if (frame.group(3) == null) {
      return frame.group(1) + " unbounded preceding to current row";
    }
    boolean bounded = !frame.group(2).contains("unbounded");
    return bounded
        ? frame.group(1) + " between bounds"
        : "%s %s to %s".formatted(frame.group(1), end(frame.group(3)), end(frame.group(4)));
  }

  private static String end(String bound) {
    return bound.startsWith("unbounded") || bound.equals("current row") ? bound : "n";
  }

  /** Returns how often there was each function. */
  Map<String, Integer> functions() {
    return sums(Kind::function);
  }

  /** Returns how often there was each kind of frame, with keys and without. */
  Map<String, Integer> frames() {
    return sums(kind -> kind.keys() + " " + kind.frame());
  }

  private Map<String, Integer> sums(Function<Kind, String> of) {
    Map<String, Integer> sums = new TreeMap<>();
    counts.forEach((kind, count) -> sums.merge(of.apply(kind), count, Integer::sum));
    return sums;
  }

  /** Returns a line for each function, kind of frame, and whether there were keys. */
  String table() {
    StringBuilder text = new StringBuilder();
    sums(Kind::toString).forEach((kind, count) -> text.append("%6d %s%n".formatted(count, kind)));
    return text.toString();
  }
}
