/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The name that was probably meant by a word that is none of the known names, in any case. */
public final class NearestName {
  /** A word of fewer characters begins many names, and a shorter name begins many words. */
  private static final int LEAST_OF_WORD = 5;

  private static final int LEAST_OF_NAME = 3;

  private NearestName() {}

  /**
   * Returns the name that the fewest edits make of a word, of those that take no more than one edit
   * in three characters, begin the word or are begun by it; nothing if there is none, or if another
   * one is as near.
   */
  public static Optional<String> of(String word, Collection<String> names) {
    String given = word.toLowerCase(Locale.ROOT);
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String each : names) {
      String name = each.toLowerCase(Locale.ROOT);
      int edits = edits(given, name);
      boolean few = edits < name.length() && edits <= Math.max(1, name.length() / 3);
      boolean alike = few || begin(given, name);
      if (alike && edits <= least) {
        nearest = edits < least ? each : null;
        least = edits;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Returns the question whether a name was meant, as messages have it before all names. */
  public static String question(String word, Collection<String> names) {
    return of(word, names).map("; did you mean %s?"::formatted).orElse(";");
  }

  private static boolean begin(String word, String name) {
    return (name.length() >= LEAST_OF_NAME && word.startsWith(name))
        || (word.length() >= LEAST_OF_WORD && name.startsWith(word));
  }

  /** Returns the edits, each of one character, that make one text of another (Levenshtein). */
  private static int edits(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int i = 0; i <= to.length(); i++) {
      above[i] = i;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] edits = new int[above.length];
      edits[0] = row;
      for (int i = 1; i < edits.length; i++) {
        int replaced = above[i - 1] + (from.charAt(row - 1) == to.charAt(i - 1) ? 0 : 1);
        edits[i] = Math.min(replaced, 1 + Math.min(above[i], edits[i - 1]));
      }
      above = edits;
    }
    return above[to.length()];
  }
}
