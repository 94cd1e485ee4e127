/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random windows of several keys and orders over one relation, also over results of others. */
final class DrawnWindows {
  private static final String[] KEYS = {
    "",
    "",
    "1",
    "g",
    "h",
    "g, h",
    "x",
    "day",
    "id % 3",
    "text",
    "struct(g, h)",
    "named_struct('a', s % 3, 'b', named_struct('c', h, 'd', x))",
    "h collate utf8_lcase",
    "concat(upper(h), g) collate unicode_ci, b",
    "make_dt_interval(g, 1)",
    "make_ym_interval(0, g), h",
    "hour(at)",
    "date_trunc('DAY', at), g",
    "cast(at as date)",
    "cast(at as timestamp_ntz)",
    "cast(h as binary)",
    "g is null, m",
    "p",
    "array(g, s % 2)",
    "cast(null as string)"
  };

  /** Orders in which no rows tie. */
  private static final String[] ORDERS = {
    "id",
    "t desc",
    "x, id",
    "d nulls last, f desc, id",
    "h collate utf8_lcase desc nulls last, id",
    "upper(text) collate unicode_ci, t",
    "struct(x, g) desc, t",
    "make_dt_interval(s % 5) nulls last, id",
    "make_ym_interval(g), t desc",
    "day desc, at, id",
    "hour(at) desc, id",
    "text nulls last, id",
    "cast(text as binary), t",
    "p desc, id",
    "array(g, s), id",
    "cast(at as timestamp_ntz) desc nulls first, id"
  };

  private static final String[] TIES = {
    "x desc",
    "g, h",
    "h collate utf8_lcase",
    "day",
    "make_ym_interval(0, g) desc",
    "struct(g)",
    "hour(at)",
    "text collate unicode_ci",
    "make_dt_interval(g % 2)",
    "at"
  };

  /** Functions whose results are the same in whatever order rows come that tie. */
  private static final String[] OF_TIES = {
    "rank()",
    "dense_rank()",
    "percent_rank()",
    "cume_dist()",
    "count(*)",
    "count(text)",
    "sum(i)",
    "sum(m)",
    "max(l)",
    "min(day)",
    "avg(n)"
  };

  /** Functions of any value that can be ordered. */
  private static final String[] OF_ANY = {
    "max(V)",
    "min(V)",
    "count(V)",
    "first(V)",
    "last(V) ignore nulls",
    "lag(V, 2)",
    "lead(V)",
    "sum(hash(V))",
    "nth_value(V, 2)"
  };

  /** Values that no table has as a column. */
  private static final String[] VALUES = {
    "struct(i, text)",
    "make_dt_interval(s)",
    "make_ym_interval(0, b)",
    "text collate utf8_lcase",
    "cast(at as timestamp_ntz)",
    "date_format(at, 'yyyy-MM-dd HH')",
    "cast(at as date)",
    "d > f",
    "array(i, s)",
    "at"
  };

  private static final String[] FRAMES = {
    "",
    "",
    " rows 3 preceding",
    " rows between 2 following and 9 following",
    " rows between unbounded preceding and 1 preceding",
    " rows between current row and unbounded following",
    " rows between unbounded preceding and unbounded following"
  };

  private final Random random;
  private final boolean ansi;

  DrawnWindows(Random random, boolean ansi) {
    this.random = random;
    this.ansi = ansi;
  }

  /**
   * Returns windows, without their names.
   *
   * @param results columns that windows below have made
   */
  List<String> draw(List<String> results) {
    List<String> windows = new ArrayList<>();
    int specifications = 1 + random.nextInt(3);
    for (int i = 0; i < specifications; i++) {
      String keys = keys(results);
      String order = order(results);
      int count = 1 + random.nextInt(2);
      for (int k = 0; k < count; k++) {
        windows.add(window(keys, order, results));
      }
    }
    return windows;
  }

  /** Returns a rank that numbers rows, of which the first are wanted. */
  String number() {
    String[] ranks = {"row_number()", "rank()", "dense_rank()"};
    return RunningCase.rank(ranks[random.nextInt(3)], keys(List.of()), order(List.of()));
  }

  private String keys(List<String> results) {
    if (!results.isEmpty() && random.nextInt(4) == 0) {
      return one(results);
    }
    return KEYS[random.nextInt(KEYS.length)];
  }

  private String order(List<String> results) {
    if (!results.isEmpty() && random.nextInt(3) == 0) {
      return one(results) + (random.nextBoolean() ? " desc, id" : " nulls last, id");
    }
    return ORDERS[random.nextInt(ORDERS.length)];
  }

  private String window(String keys, String order, List<String> results) {
    return switch (random.nextInt(results.isEmpty() ? 8 : 11)) {
      case 0, 1 -> RunningCase.window(random, ansi, keys, order);
      case 2 -> BoundedCase.window(random, keys, BoundedCase.order(random));
      case 3 -> tied(keys);
      case 4, 5 -> ofAny(keys, order, VALUES[random.nextInt(VALUES.length)]);
      case 6, 7 -> CaseQuery.window(random, ansi, keys, order);
      default -> ofAny(keys, order, one(results));
    };
  }

  private String tied(String keys) {
    String by = keys.isEmpty() ? "" : "partition by " + keys + " ";
    return "%s over (%sorder by %s)"
        .formatted(OF_TIES[random.nextInt(OF_TIES.length)], by, TIES[random.nextInt(TIES.length)]);
  }

  private String ofAny(String keys, String order, String value) {
    String function = OF_ANY[random.nextInt(OF_ANY.length)].replace("V", value);
    boolean framed = !function.startsWith("lag") && !function.startsWith("lead");
    String frame = framed ? FRAMES[random.nextInt(FRAMES.length)] : "";
    String by = keys.isEmpty() ? "" : "partition by " + keys + " ";
    return "%s over (%sorder by %s%s)".formatted(function, by, order, frame);
  }

  private String one(List<String> results) {
    return results.get(random.nextInt(results.size()));
  }
}
