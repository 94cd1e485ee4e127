/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts of users and of files as messages show them. What a terminal or a log would obey is written
 * out, and what is long is cut.
 */
public final class ShownText {
  /** The most characters of a value that messages repeat. */
  public static final int MOST_OF_VALUE = 80;

  /** The most characters of a message. */
  private static final int MOST_OF_MESSAGE = 4000;

  /** Of those, what stands at the end, where messages say what to do. */
  private static final int END_OF_MESSAGE = 1000;

  private static final Pattern LONG_QUOTE =
      Pattern.compile("\"([^\"]{%d,}+)\"".formatted(MOST_OF_VALUE + 1));

  private ShownText() {}

  /**
   * Returns a text in which each control character but tabs and ends of lines is written out, by
   * its number in Unicode, and so is each that turns the direction of what follows it.
   */
  public static String printable(String text) {
    return written(text, true);
  }

  /**
   * Returns a value within a message, on one line: as {@link #printable}, with tabs and ends of
   * lines written out too, and cut after {@link #MOST_OF_VALUE} characters.
   */
  public static String of(Object value) {
    String text = String.valueOf(value);
    if (text.length() <= MOST_OF_VALUE) {
      return written(text, false);
    }
    return "%s... (%d characters)"
        .formatted(written(text.substring(0, end(text, MOST_OF_VALUE)), false), text.length());
  }

  /**
   * Returns a message as {@link #printable}. What it quotes is cut as {@link #of} does, and where
   * it is still very long, its middle is left out.
   */
  static String message(String message) {
    return message == null ? null : printable(withoutMiddle(withShortQuotes(message)));
  }

  private static String withShortQuotes(String message) {
    return LONG_QUOTE
        .matcher(message)
        .replaceAll(
            quote -> {
              String text = quote.group(1);
              return Matcher.quoteReplacement(
                  "\"%s...\" (%d characters)"
                      .formatted(text.substring(0, end(text, MOST_OF_VALUE)), text.length()));
            });
  }

  private static String withoutMiddle(String message) {
    if (message.length() <= MOST_OF_MESSAGE) {
      return message;
    }
    int first = end(message, MOST_OF_MESSAGE - END_OF_MESSAGE);
    int last = end(message, message.length() - END_OF_MESSAGE);
    return "%s... (%d characters left out) ...%s"
        .formatted(message.substring(0, first), last - first, message.substring(last));
  }

  /** Returns a place to cut at that is in the middle of no character. */
  private static int end(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at;
  }

  private static String written(String text, boolean lines) {
    StringBuilder written = null; // where nothing is written out, the text itself is returned
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean obeyed = isObeyed(each) && !(lines && (each == '\n' || each == '\r' || each == '\t'));
      if (obeyed && written == null) {
        written = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (obeyed) {
        written.append("\\u%04x".formatted((int) each));
      } else if (written != null) {
        written.append(each);
      }
    }
    return written == null ? text : written.toString();
  }

  private static boolean isObeyed(char each) {
    return Character.isISOControl(each)
        || (each >= 0x200e && each <= 0x200f) // marks of direction
        || (each >= 0x2028 && each <= 0x202e) // ends of lines, and overrides of direction
        || (each >= 0x2066 && each <= 0x2069); // isolates
  }
}
