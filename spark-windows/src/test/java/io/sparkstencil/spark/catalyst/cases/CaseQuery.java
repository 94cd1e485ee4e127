/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A query of many random windows over one order.
 *
 * @param windows the windows, without their names
 * @param keyed whether series are given by keys, so that those that are no stencils have an
 *     operator of their own
 * @param stencils how many of them run as stencils
 * @param bounded how many of them are bounded windows
 * @param refused how many of them stay with Spark; all others are running windows
 * @param most the greatest result of the first window that is wanted, 0 if all rows are
 */
record CaseQuery(
    List<String> windows, boolean keyed, int stencils, int bounded, int refused, int most) {
  /** Keys, orders and columns that keep rows from being columns, as {@link #window} has them. */
  private static final List<String> ROWS =
      List.of("order by text", "(p)", "p, ", " p)", "string", "20, 3");

  private static final String[] KEYS = {
    "", "", "", "", "", "g", "h", "g, h", "x", "g, whole % 3", "day"
  };

  private static final String[] ORDERS = {
    "t",
    "t desc",
    "cast(t as int)",
    "timestamp_micros(t)",
    "lpad(cast(t + 1000 as string), 9, '0') desc",
    "cast(t as decimal(20, 3))",
    "cast(cast(t as string) as binary)",
    "x, t",
    "x desc nulls last, t",
    "text nulls last, x desc, t desc",
    "day desc nulls first, t",
    "n, f, t"
  };

  private static final String[] TIES = {
    "x", "x desc", "text desc", "day nulls last, f", "s % 3, x desc nulls last"
  };

  private static final String[] FIXED_KEYS = {
    "g", "h", "day", "g, s % 3", "m", "whole % 5, b", "x", "g, f", "h, g", "text"
  };

  private static final String[] FIXED_ORDERS = {
    "t",
    "t desc",
    "at, t",
    "x, t",
    "x desc nulls last, t",
    "d nulls last, f desc, t desc",
    "n desc, t"
  };

  private static final String[] FUNCTIONS = {"sum", "avg", "min", "max", "count"};
  private static final String[] NUMBERS = {"b", "s", "i", "l", "f", "d", "m", "whole", "d * 2"};

  private static final long FAR = Integer.MAX_VALUE;
  private static final long[][] FRAMES = {
    {0, 0},
    {-1, 0},
    {0, 1},
    {-1, 1},
    {-2, 2},
    {-8, 8},
    {-50, 50},
    {3, 5},
    {-5, -3},
    {-1000, 0},
    {0, 1000},
    {-500, 500},
    {1000, 1003},
    {-30, -1},
    {1, 1},
    {-1, -1}
  };
  private static final long[][] FAR_FRAMES = {
    {-FAR, 0}, {0, FAR}, {-FAR, FAR}, {FAR - 1, FAR}, {-FAR, -FAR + 1}, {-FAR, 3}
  };

  /** Makes a query whose windows are all taken over. */
  static CaseQuery taken(Random random, int count, boolean ansi) {
    String keys = KEYS[random.nextInt(KEYS.length)];
    String order = ORDERS[random.nextInt(ORDERS.length)];
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < count) {
      windows.add(window(random, ansi, keys, order));
    }
    List<String> all = new ArrayList<>(windows);
    all.addAll(running(random, count / 5, ansi, keys, order));
    return new CaseQuery(all, !keys.isEmpty(), windows.size(), 0, 0, 0);
  }

  /** Makes a query of stencils over series whose rows are kept as columns. */
  static CaseQuery columns(Random random, int count, boolean ansi) {
    String keys = FIXED_KEYS[random.nextInt(FIXED_KEYS.length)];
    String order = FIXED_ORDERS[random.nextInt(FIXED_ORDERS.length)];
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < count) {
      String window = window(random, ansi, keys, order);
      if (!window.contains("(p)")) {
        windows.add(window);
      }
    }
    return new CaseQuery(List.copyOf(windows), true, windows.size(), 0, 0, 0);
  }

  /** Makes a query of ranks and windows without bounds over series that are columns. */
  static CaseQuery collected(Random random, int count, boolean ansi) {
    String keys = FIXED_KEYS[random.nextInt(FIXED_KEYS.length)];
    String order = FIXED_ORDERS[random.nextInt(FIXED_ORDERS.length)];
    Set<String> windows = running(random, 2 * count, ansi, keys, order);
    boolean cumulative = random.nextBoolean(); // results are columns, if those of all windows are
    windows.removeIf(
        window -> !isOfColumns(window) || (cumulative && !RunningCase.isCumulative(window)));
    return new CaseQuery(List.copyOf(windows), true, 0, 0, 0, 0);
  }

  /** Makes a query of frames between two bounds all of which are loops over columns. */
  static CaseQuery moving(Random random, int count) {
    String keys = FIXED_KEYS[random.nextInt(FIXED_KEYS.length)];
    String order = BoundedCase.fixedOrder(random);
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < count) {
      windows.add(BoundedCase.loop(random, keys, order));
    }
    return new CaseQuery(List.copyOf(windows), true, 0, 0, 0, 0);
  }

  /** Makes a query of ranks and windows without bounds. */
  static CaseQuery running(Random random, int count, boolean ansi) {
    String keys = KEYS[random.nextInt(KEYS.length)];
    String order = ORDERS[random.nextInt(ORDERS.length)];
    List<String> windows = List.copyOf(running(random, count, ansi, keys, order));
    return new CaseQuery(windows, !keys.isEmpty(), 0, 0, 0, 0);
  }

  /** Makes a query of the first rows of series, by a rank. */
  static CaseQuery limited(Random random, int count, boolean ansi) {
    String keys = KEYS[random.nextInt(KEYS.length)];
    boolean ties = random.nextInt(3) == 0; // Spark may number rows that tie in another way
    String order = ties ? TIES[random.nextInt(TIES.length)] : ORDERS[random.nextInt(ORDERS.length)];
    boolean byNumber = !ties && !keys.isEmpty() && random.nextBoolean(); // of all rows: a LIMIT
    List<String> ranks = new ArrayList<>(List.of("rank()", "dense_rank()"));
    Collections.swap(ranks, 0, random.nextInt(2));
    ranks.add(byNumber ? 0 : 2, "row_number()");
    Set<String> windows = new LinkedHashSet<>();
    for (String rank : ties ? ranks.subList(0, 2) : ranks) {
      windows.add(RunningCase.rank(rank, keys, order));
    }
    while (!ties && windows.size() < count) {
      windows.add(RunningCase.expanding(random, ansi, keys, order));
    }
    int most = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
    return new CaseQuery(List.copyOf(windows), !keys.isEmpty(), 0, 0, 0, most);
  }

  /** Makes a query of windows between two bounds that are no stencils, and a few of others. */
  static CaseQuery bounded(Random random, int count, boolean ansi) {
    String keys = KEYS[random.nextInt(KEYS.length)];
    String order = BoundedCase.order(random);
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < count) {
      windows.add(BoundedCase.window(random, keys, order));
    }
    boolean ties = BoundedCase.hasTies(order); // whose order Spark may see in another way
    int stencils = ties ? 0 : random.nextInt(3);
    if (!ties) {
      String by = " ignore nulls over (%s)".formatted(by(spec(keys, order, FRAMES[0])));
      windows.add("lag(d, 2)" + by);
      windows.add("lead(text)" + by);
      windows.add("lag(i)" + by);
      windows.add("lead(l, 3)" + by);
    }
    Set<String> others = new LinkedHashSet<>();
    while (others.size() < stencils) {
      others.add(window(random, ansi, keys, order));
    }
    List<String> all = new ArrayList<>(windows);
    all.addAll(others);
    all.addAll(running(random, ties ? 0 : random.nextInt(3), ansi, keys, order));
    return new CaseQuery(all, !keys.isEmpty(), stencils, windows.size(), 0, 0);
  }

  private static Set<String> running(
      Random random, int count, boolean ansi, String keys, String order) {
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < count) {
      windows.add(RunningCase.window(random, ansi, keys, order));
    }
    return windows;
  }

  /** Makes a query some of whose windows stay with Spark, unless it has keys. */
  static CaseQuery mixed(Random random, int count, boolean ansi) {
    String keys = KEYS[random.nextInt(KEYS.length)];
    String order = ORDERS[random.nextInt(ORDERS.length)];
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < count) {
      windows.add(window(random, ansi, keys, order));
    }
    List<String> all = new ArrayList<>(windows);
    Set<String> left = new LinkedHashSet<>();
    String rows = spec(keys, order, new long[] {-3, 2});
    left.add("percentile(d, 0.3) over (" + by(rows) + " rows unbounded preceding)"); // stays
    for (int i = 0; i < 6; i++) {
      left.add(refused(random, keys, order));
    }
    all.addAll(left);
    // Spark would go through all later rows for each row.
    all.add(
        "count(i) over (%s rows between current row and unbounded following)".formatted(by(rows)));
    int refused = keys.isEmpty() ? left.size() : 0;
    return new CaseQuery(all, !keys.isEmpty(), windows.size(), 0, refused, 0);
  }

  /** Returns a stencil. */
  static String window(Random random, boolean ansi, String keys, String order) {
    String rows = spec(keys, order, frame(random));
    if (random.nextInt(12) > 0) {
      return call(random, ansi) + " over (" + rows + ")";
    }
    String[] others = {"", ", null", ", 1", ", whole"};
    return "%s(%s, %d%s) over (%s)"
        .formatted(
            random.nextBoolean() ? "lag" : "lead",
            new String[] {"i", "f", "d", "l", "n"}[random.nextInt(5)],
            random.nextInt(20) == 0 ? 700 : random.nextInt(9) - 2,
            others[random.nextInt(others.length)],
            by(rows));
  }

  private static String by(String rows) {
    return rows.substring(0, rows.indexOf(" rows"));
  }

  private static String refused(Random random, String keys, String order) {
    String rows = spec(keys, order, frame(random));
    String by = by(rows);
    return switch (random.nextInt(10)) {
      case 0 -> "lead(i) ignore nulls over (" + by + ")";
      case 1 -> "first(i) over (" + rows + ")";
      case 2 -> "row_number() over (" + by + ")";
      case 3 -> "sum(l) over (" + by + ")";
      case 4 -> "sum(d) over (" + by + " rows between unbounded preceding and current row)";
      case 5 -> "max(text) over (" + rows + ")";
      case 6 -> "sum(p) over (" + rows + ")";
      case 8 -> "stddev(d) over (" + rows + ")";
      case 7 ->
          "avg(n) over (" + spec(keys, order, new long[] {-5000, 4990 + random.nextInt(20)}) + ")";
      default -> "count(d) over (" + spec(keys, order, FAR_FRAMES[random.nextInt(6)]) + ")";
    };
  }

  private static String call(Random random, boolean ansi) {
    return switch (random.nextInt(12)) {
      case 0 -> "count(*)";
      case 1 -> "count(text)";
      case 2 -> "count(i, d, text)";
      case 3 -> random.nextBoolean() ? "min(day)" : "max(at)";
      case 4 -> random.nextBoolean() ? "min(n)" : "count(p)";
      case 5 -> ansi ? "try_sum(w)" : "sum(w)";
      case 6 -> random.nextBoolean() ? "sum(n)" : "avg(n)";
      case 7 -> random.nextBoolean() ? "avg(w)" : "try_avg(d)";
      default ->
          FUNCTIONS[random.nextInt(FUNCTIONS.length)]
              + "("
              + NUMBERS[random.nextInt(NUMBERS.length)]
              + ")";
    };
  }

  /** Returns a frame that is short enough for sums of 15 digits. */
  private static long[] frame(Random random) {
    if (random.nextInt(3) > 0) {
      return FRAMES[random.nextInt(FRAMES.length)];
    }
    long from = random.nextInt(41) - 20L;
    return new long[] {from, from + random.nextInt(40)};
  }

  private static String spec(String keys, String order, long[] frame) {
    return (keys.isEmpty() ? "" : "partition by " + keys + " ")
        + "order by "
        + order
        + " rows between "
        + bound(frame[0])
        + " and "
        + bound(frame[1]);
  }

  private static String bound(long offset) {
    if (offset == 0) {
      return "current row";
    }
    return offset < 0 ? -offset + " preceding" : offset + " following";
  }

  /** Tells whether the windows are all stencils over series that are kept as columns. */
  boolean areColumns() {
    return keyed && stencils == windows.size() && windows.stream().allMatch(CaseQuery::isOfColumns);
  }

  /** Tells whether the windows are all loops over columns, where their rows are columns. */
  boolean areLoops() {
    return windows.stream().allMatch(BoundedCase::isLoop);
  }

  private static boolean isOfColumns(String window) {
    return ROWS.stream().noneMatch(window::contains);
  }

  /** Returns how many windows are running windows. */
  int running() {
    return keyed ? 0 : beside() - bounded;
  }

  /** Returns how many windows of series given by keys are no stencils. */
  int series() {
    return keyed ? beside() : 0;
  }

  private int beside() {
    return windows.size() - stencils - refused;
  }

  /**
   * Returns the query; columns of results are c0, c1 and so on after {@code id}.
   *
   * @param others columns of the table that come after them, each after a comma
   */
  String sql(String table, String others) {
    StringBuilder text = new StringBuilder("select id");
    for (int i = 0; i < windows.size(); i++) {
      text.append(",\n  ").append(windows.get(i)).append(" as c").append(i);
    }
    text.append(others).append("\nfrom ").append(table);
    return most == 0 ? text.toString() : "select * from (%s) where c0 <= %d".formatted(text, most);
  }
}
