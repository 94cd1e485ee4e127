/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** The name that was probably meant by a word that is none of the known names, in any case. */
public final class NearestName {
  /** A word of fewer characters begins many names, and a shorter name begins many words. */
  private static final int LEAST_OF_WORD = 5;

  private static final int LEAST_OF_NAME = 3;

  private NearestName() {}

  /**
   * Returns the name that is nearest to a word: of those that it begins, or else of those that
   * begin it or take no more than one edit in three characters, the one that the fewest edits make
   * of it. Nothing if there is none, or if another one is as near.
   */
  public static Optional<String> of(String word, Collection<String> names) {
    String given = word.toLowerCase(Locale.ROOT);
    return nearest(given, names, name -> begins(given, LEAST_OF_WORD, name))
        .or(() -> nearest(given, names, name -> isAlike(given, name)));
  }

  private static Optional<String> nearest(
      String given, Collection<String> names, Predicate<String> candidates) {
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String each : names) {
      String name = each.toLowerCase(Locale.ROOT);
      int edits = candidates.test(name) ? edits(given, name) : Integer.MAX_VALUE;
      if (edits < least) {
        nearest = each;
        least = edits;
      } else if (edits == least) {
        nearest = null;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Returns the question whether a name was meant, as messages have it before all names. */
  public static String question(String word, Collection<String> names) {
    return of(word, names).map("; did you mean %s?"::formatted).orElse(";");
  }

  private static boolean isAlike(String word, String name) {
    int edits = edits(word, name);
    return begins(name, LEAST_OF_NAME, word)
        || (edits < name.length() && edits <= Math.max(1, name.length() / 3));
  }

  private static boolean begins(String text, int leastLength, String other) {
    return text.length() >= leastLength && other.startsWith(text);
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
