/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares output with what a guide shows. In a guide, {@code ...} stands for anything within a
 * line, and alone in a line for any lines. Spaces and tabs count as one space, columns of plans
 * have any number, and empty lines do not count.
 */
final class ShownOutput {
  private static final Pattern PART =
      Pattern.compile("(?<dots>\\.\\.\\.)|(?<space>[ \t]+)|(?<column>#\\d+)");

  private ShownOutput() {}

  static boolean matches(String shown, String actual) {
    StringBuilder pattern = new StringBuilder();
    for (String line : shown.stripTrailing().split("\n")) {
      pattern.append(line.strip().equals("...") ? "(?:.*\n)*?" : line(line.strip()) + "\n");
    }
    StringBuilder lines = new StringBuilder();
    actual
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .forEach(line -> lines.append(line).append('\n'));
    return Pattern.matches(pattern.toString(), lines);
  }

  private static String line(String shown) {
    StringBuilder pattern = new StringBuilder();
    Matcher part = PART.matcher(shown);
    int done = 0;
    while (part.find()) {
      pattern.append(Pattern.quote(shown.substring(done, part.start())));
      if (part.group("dots") != null) {
        pattern.append(".*?");
      } else {
        pattern.append(part.group("space") != null ? "[ \t]+" : "#\\d+");
      }
      done = part.end();
    }
    return pattern.append(Pattern.quote(shown.substring(done))).toString();
  }
}
