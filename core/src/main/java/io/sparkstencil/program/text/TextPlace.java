/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import io.sparkstencil.error.InvalidStencilException;

/** Errors that show a place in a text. */
final class TextPlace {
  /** How much of a long line is shown on each side of the place. */
  private static final int SHOWN = 60;

  private TextPlace() {}

  /** Returns an error that shows the line and marks the column. */
  static InvalidStencilException problem(String text, int at, String message) {
    int start = text.lastIndexOf('\n', at - 1) + 1;
    int end = text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at);
    long line = text.substring(0, start).chars().filter(c -> c == '\n').count() + 1;
    int column = text.codePointCount(start, at) + 1;
    String before =
        at - start > SHOWN ? "..." + text.substring(at - SHOWN, at) : text.substring(start, at);
    String after =
        end - at > SHOWN ? text.substring(at, at + SHOWN) + "..." : text.substring(at, end);
    // tabs stay, so that the mark stands below its word
    String space = before.replaceAll("[^\t]", " ");
    return new InvalidStencilException(
        "line %d, column %d: %s%n  %s%n  %s^"
            .formatted(line, column, message, before + after.stripTrailing(), space));
  }
}
