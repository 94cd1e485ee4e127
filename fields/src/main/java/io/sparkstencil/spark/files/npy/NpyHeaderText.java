/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.StoredFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the text of an npy header: a Python dictionary of strings, truth values, and tuples of
 * numbers. Nothing else of Python is understood.
 */
final class NpyHeaderText {
  private static final int MOST_DIGITS = 18;

  private final StoredFile file;
  private final String text;
  private int at;

  NpyHeaderText(StoredFile file, String text) {
    this.file = file;
    this.text = text;
  }

  /**
   * Returns the entries: Strings, Booleans, and Lists of Longs; a List without content stands for
   * the description of cells with several numbers.
   */
  Map<String, Object> entries() {
    Map<String, Object> entries = new LinkedHashMap<>();
    expect('{');
    while (!accept('}')) {
      String key = string();
      expect(':');
      if (entries.put(key, value()) != null) {
        throw broken("a single entry \"" + key + "\"");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skipSpace();
    if (at < text.length()) {
      throw broken("the end of the header");
    }
    return entries;
  }

  private Object value() {
    char next = peek();
    if (next == '(') {
      return numbers();
    }
    if (next == '[') {
      // What follows is never used, and may hold whatever a structured type has.
      at = Math.max(at, text.lastIndexOf(']')) + 1;
      return List.of();
    }
    if (acceptWord("True")) {
      return true;
    }
    if (acceptWord("False")) {
      return false;
    }
    return string();
  }

  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    expect('(');
    while (!accept(')')) {
      numbers.add(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return numbers;
  }

  private long number() {
    peek();
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == start || at - start > MOST_DIGITS) {
      throw broken("a number of at most " + MOST_DIGITS + " digits");
    }
    long number = Long.parseLong(text, start, at, 10);
    acceptWord("L"); // Python 2 wrote it behind long numbers
    return number;
  }

  private String string() {
    char quote = peek();
    int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
    if (end < 0 || text.substring(at, end).indexOf('\\') >= 0) {
      throw broken("a string in quotes");
    }
    String string = text.substring(at + 1, end);
    at = end + 1;
    return string;
  }

  private boolean acceptWord(String word) {
    boolean found = text.startsWith(word, at);
    at += found ? word.length() : 0;
    return found;
  }

  private boolean accept(char wanted) {
    boolean found = peek() == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private void expect(char wanted) {
    if (!accept(wanted)) {
      throw broken("'" + wanted + "'");
    }
  }

  /** Returns the next character that is not a space, or one that nothing accepts at the end. */
  private char peek() {
    skipSpace();
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void skipSpace() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) {
      at++;
    }
  }

  private FieldFileException broken(String wanted) {
    return FieldFileException.broken(
        "the header of %s does not have %s at character %d; is the file broken?"
            .formatted(file, wanted, at));
  }
}
