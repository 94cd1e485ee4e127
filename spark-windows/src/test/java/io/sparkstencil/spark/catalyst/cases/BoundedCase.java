/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Random windows between two bounds that are no stencils, all taken over. */
final class BoundedCase {
  /** What is added to the keys of an order, for a number. */
  private static final Map<String, String> STEPS =
      Map.of(
          "t", "%d",
          "t desc", "%d",
          "cast(t as int)", "%d",
          "timestamp_micros(t)", "interval '0.%06d' second",
          "cast(t as decimal(20, 3))", "%d.625",
          "x", "%d",
          "x desc nulls last", "0.%03d",
          "day desc nulls first", "%d");

  /** Orders in which rows tie. */
  private static final List<String> TIES =
      List.of("x", "x desc nulls last", "day desc nulls first");

  private static final List<String> ORDERS = List.copyOf(new TreeSet<>(STEPS.keySet()));

  private static final String[] UNORDERED = {
    "count(*)",
    "count(i, d, text)",
    "sum(i)",
    "sum(m)",
    "sum(p)",
    "avg(p)",
    "avg(n)",
    "min(text)",
    "max(l)",
    "max(at)",
    "bit_xor(w)",
    "try_sum(l)",
    "array_sort(collect_set(whole) W)"
  };

  private static final String[] ORDERED = {
    "stddev(d)",
    "var_pop(i)",
    "first(i)",
    "last(text) ignore nulls",
    "nth_value(d, 2)",
    "collect_list(b)",
    "max_by(text, d)",
    "covar_pop(l, f)",
    "percentile(i, 0.25)",
    "max(text)",
    "sum(p)",
    "last_value(struct(i, d)) ignore nulls"
  };

  /** Functions that are loops over columns, and do not depend on the order of rows that tie. */
  private static final String[] LOOPS = {
    "count(*)",
    "count(i, d, text)",
    "sum(i)",
    "sum(s)",
    "sum(m)",
    "sum(n)",
    "avg(n)",
    "avg(b)",
    "avg(m)",
    "min(text)",
    "max(l)",
    "max(at)",
    "bool_or(b > 0)",
    "bit_xor(w)",
    "bit_and(s)",
    "bit_or(i)"
  };

  /** Others that are such loops. */
  private static final String[] LOOPS_IN_ORDER = {
    "min(f)",
    "max(d)",
    "sum(d)",
    "avg(d)",
    "sum(f)",
    "avg(w)",
    "stddev(d)",
    "var_pop(i)",
    "covar_pop(l, f)",
    "covar_samp(d, d)",
    "first(i)",
    "first(day) ignore nulls",
    "last(text) ignore nulls",
    "last(d)",
    "nth_value(d, 2)",
    "nth_value(text, 3) ignore nulls"
  };

  /** Such loops that are no stencils over frames of rows. */
  private static final String[] LOOPS_BY_ROWS = {
    "min(text)",
    "bit_xor(w)",
    "bit_and(s)",
    "bit_or(i)",
    "stddev(d)",
    "var_pop(i)",
    "stddev_pop(f)",
    "covar_pop(l, f)",
    "first(i)",
    "last(text)",
    "first(day) ignore nulls",
    "last(n) ignore nulls",
    "nth_value(d, 2)",
    "nth_value(text, 3) ignore nulls"
  };

  /** Functions of parts that can be joined, and do not depend on the order of rows that tie. */
  private static final String[] JOINED = {
    "count(*)", "count(i, d, text)", "sum(i)", "sum(m)", "avg(n)", "min(text)", "max(l)", "max(at)"
  };

  /** Functions of parts that can be joined in order. */
  private static final String[] JOINED_IN_ORDER = {
    "min(d)", "max(f)", "first(i)", "first(text) ignore nulls", "last(d)", "last(p) ignore nulls"
  };

  /** Frames with one end without a bound, and another that is the current row. */
  private static final String[] HALF = {
    "%s between current row and unbounded following",
    "%s between unbounded preceding and current row"
  };

  private BoundedCase() {}

  /** Returns an order whose frames may be ranges. */
  static String order(Random random) {
    return ORDERS.get(random.nextInt(ORDERS.size()));
  }

  static boolean hasTies(String order) {
    return TIES.contains(order);
  }

  /** Returns such an order of a column that is no wide decimal. */
  static String fixedOrder(Random random) {
    String order = order(random);
    return order.contains("decimal") ? "t" : order;
  }

  /** Returns a window over series, or one of all rows if there are no keys, and such an order. */
  static String window(Random random, String keys, String order) {
    boolean ranges = hasTies(order) || random.nextBoolean();
    String function = function(random, order, ranges);
    String frame = ranges ? range(random, STEPS.get(order)) : rows(random);
    if (!keys.isEmpty() && random.nextInt(8) == 0) {
      frame = HALF[random.nextInt(HALF.length)].formatted(ranges ? "range" : "rows");
    } else if (random.nextInt(keys.isEmpty() ? 2 : 3) == 0) {
      frame = open(random, frame);
      if (keys.isEmpty() && frame.contains("unbounded")) {
        boolean ordered = !hasTies(order) && random.nextBoolean();
        String[] joined = ordered ? JOINED_IN_ORDER : JOINED;
        function = joined[random.nextInt(joined.length)];
      }
    }
    String by = keys.isEmpty() ? "" : "partition by " + keys + " ";
    String over = " over (%sorder by %s %s)".formatted(by, order, frame);
    return function.contains("W") ? function.replace(" W", over) : function + over;
  }

  /** Returns a window over series whose results are columns where its rows are. */
  static String loop(Random random, String keys, String order) {
    boolean ties = hasTies(order);
    boolean ranges = ties || random.nextBoolean();
    String frame = ranges ? range(random, STEPS.get(order)) : rows(random);
    if (random.nextInt(5) == 0 && !frame.contains("and current row")) {
      frame = frame.replaceFirst("between .* and", "between unbounded preceding and");
    }
    String[] functions =
        ranges ? (ties || random.nextBoolean() ? LOOPS : LOOPS_IN_ORDER) : LOOPS_BY_ROWS;
    return "%s over (partition by %s order by %s %s)"
        .formatted(functions[random.nextInt(functions.length)], keys, order, frame);
  }

  /** Tells whether the results of a window are columns where its rows are. */
  static boolean isLoop(String window) {
    String function = window.substring(0, window.indexOf(" over ("));
    return !window.contains("unbounded following")
        && Stream.of(LOOPS, LOOPS_IN_ORDER, LOOPS_BY_ROWS)
            .flatMap(Arrays::stream)
            .anyMatch(function::equals);
  }

  /** Returns a frame without one of its two bounds, but for one that is the current row. */
  private static String open(Random random, String frame) {
    String open =
        random.nextBoolean()
            ? frame.replaceFirst("between .* and", "between unbounded preceding and")
            : frame.replaceFirst(" and .*", " and unbounded following");
    return open.contains("current row") ? frame : open;
  }

  private static String function(Random random, String order, boolean ranges) {
    if (hasTies(order) || (ranges && random.nextBoolean())) {
      return UNORDERED[random.nextInt(UNORDERED.length)];
    } else if (ranges && random.nextInt(3) == 0) {
      return random.nextBoolean() ? "sum(d)" : "avg(f)";
    }
    return ORDERED[random.nextInt(ORDERED.length)];
  }

  private static String range(Random random, String step) {
    int from = random.nextInt(12) == 0 ? -1500 : random.nextInt(300) - 200;
    int to = from + random.nextInt(random.nextBoolean() ? 20 : 400);
    return "range between %s and %s".formatted(bound(step, from), bound(step, to));
  }

  private static String bound(String step, int offset) {
    if (offset == 0) {
      return "current row";
    }
    return step.formatted(Math.abs(offset)) + (offset < 0 ? " preceding" : " following");
  }

  private static String rows(Random random) {
    int from = random.nextInt(60) - 40;
    int to = from + random.nextInt(random.nextInt(4) == 0 ? 700 : 30);
    return "rows between %s and %s".formatted(bound("%d", from), bound("%d", to));
  }
}
