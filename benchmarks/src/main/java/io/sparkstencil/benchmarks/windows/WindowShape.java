/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import java.util.List;
import java.util.Locale;

/** A query of windows over the series of {@link ShapeTables}, by what is special about it. */
enum WindowShape {
  /** A mean over 1024 series, or as many as the table has. */
  AVG("series", "v", FrameCall.both("avg(v)")),

  /** Series of 64 rows each. */
  MANY("many", "v", FrameCall.both("avg(v)")),

  /** 16 series. */
  FEW("few", "v", FrameCall.both("avg(v)")),

  /** Nine of ten rows are of one series. */
  SKEWED("skewed", "v", FrameCall.both("avg(v)")),

  /** Five functions over one frame. */
  FIVE(
      "series",
      "v",
      FrameCall.both("avg(v)"),
      FrameCall.both("sum(v)"),
      FrameCall.both("min(v)"),
      FrameCall.both("max(v)"),
      FrameCall.both("count(v)")),

  /** One function over five frames. */
  FRAMES(
      "series",
      "v",
      FrameCall.both("avg(v)"),
      new FrameCall("avg(v)", 1, 0),
      new FrameCall("avg(v)", 0, 1),
      new FrameCall("avg(v)", 2, 0),
      new FrameCall("avg(v)", 2, 2)),

  BIGINT("series", "l", FrameCall.both("avg(l)")),

  /** Values of decimal(15, 2). */
  DECIMAL("series", "d", FrameCall.both("avg(d)")),

  /** Texts of 20 bytes beside the values. */
  STRING("series", "v, s", FrameCall.both("avg(v)"));

  private final String key;
  private final String columns;

  @SuppressWarnings("ImmutableEnumChecker") // by List.of
  private final List<FrameCall> calls;

  WindowShape(String key, String columns, FrameCall... calls) {
    this.key = key;
    this.columns = columns;
    this.calls = List.of(calls);
  }

  /**
   * A function of a window.
   *
   * @param preceding rows before each row, in radii
   * @param following rows after it, in radii
   */
  private record FrameCall(String function, int preceding, int following) {
    private static FrameCall both(String function) {
      return new FrameCall(function, 1, 1);
    }

    private String sql(String key, int radius) {
      return "%s over (partition by %s order by t rows between %s and %s)"
          .formatted(
              function,
              key,
              bound(preceding * radius, "preceding"),
              bound(following * radius, "following"));
    }

    private static String bound(int rows, String side) {
      return rows == 0 ? "current row" : rows + " " + side;
    }
  }

  /** Returns the query over a view of a table. */
  String sql(int radius, String view) {
    List<String> results = calls.stream().map(call -> call.sql(key, radius)).toList();
    StringBuilder sql = new StringBuilder("select %s, t, %s".formatted(key, columns));
    for (int result = 0; result < results.size(); result++) {
      sql.append(", %s as m%d".formatted(results.get(result), result));
    }
    return sql.append(" from ").append(view).toString();
  }

  /** Returns the name in the names of rows. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
