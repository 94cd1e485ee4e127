/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often each function, and each kind of frame, was among random windows. */
final class CaseCounts {
  private static final Pattern FUNCTION = Pattern.compile("(\\w+)\\(.*?( ignore nulls)? over \\(");

  private static final Pattern FRAME =
      Pattern.compile("(rows|range) (between (.+?) and (.+?)|unbounded preceding)\\)");

  private final Map<String, Integer> functions = new TreeMap<>();
  private final Map<String, Integer> frames = new TreeMap<>();

  void add(List<String> windows) {
    for (String window : windows) {
      Matcher function = FUNCTION.matcher(window);
      if (function.find()) {
        String nulls = function.group(2) == null ? "" : function.group(2);
        functions.merge(function.group(1) + nulls, 1, Integer::sum);
      }
      String keys = window.contains("partition by") ? "series " : "all ";
      frames.merge(keys + frame(window), 1, Integer::sum);
    }
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

  Map<String, Integer> functions() {
    return functions;
  }

  Map<String, Integer> frames() {
    return frames;
  }
}
