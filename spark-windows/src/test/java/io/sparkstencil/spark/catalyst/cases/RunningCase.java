/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;

/** Random ranks and windows without bounds all of which are taken over. */
final class RunningCase {
  private static final String[] RANKS = {
    "row_number()",
    "rank()",
    "dense_rank()",
    "percent_rank()",
    "cume_dist()",
    "ntile(3)",
    "ntile(700)"
  };

  private static final String[] FRAMES = {
    "",
    " rows unbounded preceding",
    " range between unbounded preceding and current row",
    " rows between unbounded preceding and unbounded following"
  };

  private static final String[] RESTS = {
    " rows between current row and unbounded following",
    " range between current row and unbounded following"
  };

  /** What can be joined of parts. */
  private static final String[] JOINED = {
    "sum(b)",
    "sum(i)",
    "sum(whole)",
    "sum(m)",
    "sum(n)",
    "avg(n)",
    "count(*)",
    "count(text)",
    "count(i, d, text)"
  };

  private static final String[] SUMS = {
    "sum(b)",
    "sum(s)",
    "sum(i)",
    "sum(whole)",
    "sum(m)",
    "sum(n)",
    "sum(p)",
    "avg(n)",
    "avg(p)",
    "try_sum(w)",
    "sum(f)",
    "avg(d)",
    "avg(i)",
    "avg(m)",
    "stddev(d)",
    "covar_pop(l, f)",
    "count(*)",
    "count(text)",
    "count(i, d, text)"
  };

  private static final String[] COLUMNS = {
    "x", "b", "s", "i", "l", "w", "f", "d", "m", "n", "p", "day", "at", "text", "whole"
  };

  private static final Pattern CUMULATIVE =
      Pattern.compile(
          "(row_number|rank|dense_rank|percent_rank|cume_dist|ntile|first|last|nth_value)\\("
              + "|(min|max)\\((?!text)|(sum|avg)\\([bsilwfd]\\)|count\\((\\*|text)\\)");

  private RunningCase() {}

  private static final String[] WITH_KEYS = {"stddev(p)", "max_by(d, p)", "corr(d, p)"};

  private static String by(String keys, String order) {
    return " over (" + (keys.isEmpty() ? "" : "partition by " + keys + " ") + "order by " + order;
  }

  /** Returns a rank, whatever its function. */
  static String rank(String function, String keys, String order) {
    return function + by(keys, order) + ")";
  }

  /** Returns a window each of whose frames ends with its row, so that Spark limits the rows. */
  static String expanding(Random random, boolean ansi, String keys, String order) {
    String call = call(random, ansi, true);
    while (call.equals("sum(m)") || call.equals("avg(m)")) { // Spark makes more than a window of it
      call = call(random, ansi, true);
    }
    return call + by(keys, order) + " rows unbounded preceding)";
  }

  /** Returns a window over series, or one of all rows if there are no keys, and an order. */
  static String window(Random random, boolean ansi, String keys, String order) {
    String by = by(keys, order);
    if (!keys.isEmpty() && random.nextInt(8) == 0) {
      // Of one row, Spark's correlation divides by zero in ANSI mode.
      String call = WITH_KEYS[random.nextInt(WITH_KEYS.length - (ansi ? 1 : 0))];
      return call + by + FRAMES[random.nextInt(FRAMES.length)] + ")";
    }
    if (random.nextInt(5) == 0) {
      String column = COLUMNS[random.nextInt(COLUMNS.length)];
      return rest(random, ansi, column) + by + RESTS[random.nextInt(RESTS.length)] + ")";
    }
    if (random.nextInt(3) > 0) {
      return RANKS[random.nextInt(RANKS.length)] + by + ")";
    }
    int frame = random.nextInt(FRAMES.length);
    boolean bounded = frame < FRAMES.length - 1;
    return call(random, ansi, bounded) + by + FRAMES[frame] + ")";
  }

  private static String rest(Random random, boolean ansi, String column) {
    return switch (random.nextInt(6)) {
      case 0 -> "min(" + column + ")";
      case 1 -> "max(" + column + ")";
      case 2 -> "first(" + column + ")" + (random.nextBoolean() ? "" : " ignore nulls");
      case 3 -> "last(" + column + ")" + (random.nextBoolean() ? "" : " ignore nulls");
      case 4 -> ansi ? "sum(l)" : "sum(w)";
      default -> JOINED[random.nextInt(JOINED.length)];
    };
  }

  /** Tells whether the results of a window are columns where its rows are. */
  static boolean isCumulative(String window) {
    return CUMULATIVE.matcher(window).lookingAt()
        && Arrays.stream(RESTS).noneMatch(window::contains);
  }

  private static String call(Random random, boolean ansi, boolean bounded) {
    String column = COLUMNS[random.nextInt(COLUMNS.length)];
    return switch (random.nextInt(9)) {
      case 0 -> "min(" + column + ")";
      case 1 -> "max(" + column + ")";
      case 2 -> "first(" + column + ")";
      case 3 -> "last(" + column + ")";
      case 4 -> (random.nextBoolean() ? "first(" : "last(") + column + ") ignore nulls";
      case 5 -> ansi ? (bounded ? "sum(l)" : "sum(i)") : "sum(w)";
      case 6 -> random.nextInt(4) == 0 ? "nth_value(i, 3)" : "nth_value(text, 2) ignore nulls";
      default -> SUMS[random.nextInt(SUMS.length)];
    };
  }
}
