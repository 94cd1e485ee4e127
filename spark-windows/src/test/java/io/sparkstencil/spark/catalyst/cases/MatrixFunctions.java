/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import io.sparkstencil.spark.catalyst.plan.RowsOfAllTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All functions of frames with each type of {@link RowsOfAllTypes} that they take, and {@code
 * large} and {@code widest}, wide decimals.
 */
final class MatrixFunctions {
  /** How many parts there are. */
  static final int TURNS = 6;

  /** In which frames without keys parts of a series can be computed apart, and joined. */
  enum Joined {
    ALL,
    /** In frames that begin with the series and end with the row, or with the series. */
    RUNNING,
    /** In frames between two bounds, whose rows are few. */
    BETWEEN_BOUNDS
  }

  /**
   * A function.
   *
   * @param call without its window
   * @param ofTies whether its result is the same in whatever order rows that tie come
   */
  record Call(String call, boolean ofTies, Joined joined) {}

  /** Columns of one type each. */
  private static final List<String> ALL =
      List.of(
          "b", "s", "i", "l", "f", "g", "d", "few", "m", "d18", "large", "text", "bytes", "even",
          "day", "at", "ntz", "dt", "ym");

  /** Of which equal values may have other bits: which of them is the extreme, the order says. */
  private static final List<String> ZEROS = List.of("f", "g", "d", "few");

  private static final List<String> WITHOUT_ZEROS =
      ALL.stream().filter(column -> !ZEROS.contains(column)).toList();

  private static final List<String> INTEGERS = List.of("b", "s", "i", "l");
  private static final List<String> DECIMALS = List.of("m", "d18");
  private static final List<String> FLOATING = List.of("f", "d");

  /** What is wider or nested, and functions that are no loops over columns. */
  static final Pattern NO_COLUMNS =
      Pattern.compile("large|widest|struct|count_if|skewness|m.._by|collect_list|percentile");

  /**
   * The same from the first row on, where ranges hand on neither strings nor that a sum is null.
   */
  static final Pattern NO_COLUMNS_OF_RANGES =
      Pattern.compile(NO_COLUMNS + "|try_sum|^(?!count).*[(](text|bytes)");

  /** Matches no function. */
  static final Pattern NONE = Pattern.compile("(?!)");

  private static final List<Call> CALLS = new ArrayList<>();

  private static void add(List<String> columns, boolean ofTies, Joined joined, String... calls) {
    for (String call : calls) {
      columns.forEach(column -> CALLS.add(new Call(call.formatted(column), ofTies, joined)));
    }
  }

  static {
    add(ALL, true, Joined.ALL, "count(%s)");
    add(WITHOUT_ZEROS, true, Joined.ALL, "min(%s)", "max(%s)");
    add(ZEROS, false, Joined.ALL, "min(%s)", "max(%s)");
    add(ALL, false, Joined.ALL, "first(%s)", "last(%s)");
    add(ALL, false, Joined.ALL, "first(%s) ignore nulls", "last(%s) ignore nulls");
    add(ALL, false, Joined.RUNNING, "nth_value(%s, 2)", "nth_value(%s, 3) ignore nulls");
    add(INTEGERS, true, Joined.ALL, "sum(%s)");
    add(INTEGERS, true, Joined.RUNNING, "bit_and(%s)", "bit_or(%s)", "bit_xor(%s)");
    add(INTEGERS, false, Joined.RUNNING, "avg(%s)", "stddev(%s)", "var_pop(%s)");
    add(DECIMALS, true, Joined.ALL, "sum(%s)");
    add(DECIMALS, true, Joined.RUNNING, "try_sum(%s)");
    add(List.of("d18"), true, Joined.ALL, "avg(%s)");
    add(List.of("m"), true, Joined.RUNNING, "avg(%s)"); // so short that Spark takes doubles
    add(FLOATING, false, Joined.RUNNING, "sum(%s)", "avg(%s)", "stddev_pop(%s)", "var_samp(%s)");
    add(List.of("even"), true, Joined.ALL, "bool_and(%s)", "bool_or(%s)", "count_if(%s)");
    add(List.of("large"), true, Joined.ALL, "sum(%s)", "avg(%s)");
    add(List.of("widest"), true, Joined.BETWEEN_BOUNDS, "sum(%s)", "avg(%s)");
    add(List.of("large"), false, Joined.RUNNING, "stddev(%s)", "skewness(%s)");
    add(List.of("huge"), true, Joined.RUNNING, "try_sum(%s)");
    add(
        List.of("d"),
        false,
        Joined.RUNNING,
        "covar_pop(%s, f)",
        "covar_samp(f, %s)",
        "corr(%s, f)");
    add(List.of("d"), false, Joined.ALL, "min(struct(%s, text))");
    add(List.of("i"), false, Joined.RUNNING, "skewness(%s)");
    add(List.of("text"), false, Joined.RUNNING, "max_by(%s, t)", "min_by(%s, t)");
    add(List.of("i"), true, Joined.ALL, "count(%s, text)");
    add(List.of("s"), false, Joined.BETWEEN_BOUNDS, "collect_list(%s)", "percentile(%s, 0.5)");
  }

  private MatrixFunctions() {}

  /**
   * Returns those that a frame has, of which it gets a part where others get the rest.
   *
   * @param ofTies whether rows tie
   * @param joined what is asked of them
   * @param without those that are left out
   * @param turn which part, less than {@link #TURNS}; -1 for all
   */
  static List<String> of(boolean ofTies, Joined joined, Pattern without, int turn) {
    List<Call> some =
        CALLS.stream()
            .filter(each -> each.ofTies() || !ofTies)
            .filter(each -> each.joined().compareTo(joined) <= 0)
            .filter(each -> !without.matcher(each.call()).find())
            .toList();
    Stream<String> taken =
        IntStream.range(0, some.size())
            .filter(i -> turn < 0 || i % TURNS == turn)
            .mapToObj(i -> some.get(i).call());
    return Stream.concat(Stream.of("count(*)"), taken).toList();
  }
}
