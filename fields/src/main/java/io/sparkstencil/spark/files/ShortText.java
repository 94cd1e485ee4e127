/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

/** What a file says, as messages repeat it: no more than a line of it. */
public final class ShortText {
  private static final int MOST_CHARACTERS = 80;

  private ShortText() {}

  /** Returns the text of a value, cut off behind 80 characters. */
  public static String of(Object value) {
    String text = String.valueOf(value);
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }
}
