/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/**
 * A table most of whose rows have one key or two, and a query of windows over it.
 *
 * @param table a query of the table
 * @param windows the windows, without their names
 * @param ties whether rows tie, which then agree in all that the query has
 * @param distinct whether the first column of the order is different in each row
 */
record SkewedCase(String table, Set<String> windows, boolean ties, boolean distinct) {
  /** Keys as functions of the group {@code g}: equal values come in several forms. */
  private static final String[] KEYS = {
    "g", "kd", "kf", "kt", "kb, g", "kday", "km, kt", "kd, kf", "kt, kbin", "kat, g, kd"
  };

  private static final String[] ORDERS = {
    "t",
    "t desc",
    "cast(t as smallint), t",
    "-cast(t as double) desc nulls last",
    "nt nulls last, t",
    "nt desc nulls first, t",
    "nt desc nulls last, t desc",
    "x, t",
    "x desc nulls last, f, t",
    "f nulls last, t desc",
    "edge, t",
    "edge desc nulls last, t",
    "day desc, t",
    "at nulls last, m, t",
    "m desc, t",
    "flag desc nulls last, t"
  };

  private static final String[] TIES = {"y", "y desc", "y nulls last", "y desc nulls first"};
  private static final String[] CALLS = {
    "count(*)",
    "count(text)",
    "count(d, text)",
    "avg(d)",
    "sum(d)",
    "max(d)",
    "min(f)",
    "sum(f)",
    "sum(i)",
    "avg(i)",
    "try_sum(l)",
    "avg(l)",
    "sum(m)",
    "avg(m)",
    "min(m)",
    "max(day)",
    "min(at)",
    "min(x)",
    "sum(x)",
    "max(nt)",
    "min(edge)",
    "count(g)",
    "max(kd)"
  };
  private static final String[] SHIFTED = {"i", "d", "f", "l", "m", "x"};

  /** Makes a case. */
  static SkewedCase of(Random random) {
    boolean ties = random.nextInt(4) == 0;
    String order = any(random, ties ? TIES : ORDERS);
    String by = "partition by %s order by %s".formatted(any(random, KEYS), order);
    int farthest = new int[] {2, 10, 40}[random.nextInt(3)];
    int side = random.nextInt(4); // -1 before, 1 after, or both
    Set<String> windows = new LinkedHashSet<>();
    while (windows.size() < 8) {
      windows.add(window(random, by, ties, farthest, side));
    }
    boolean distinct = order.startsWith("t") || order.startsWith("-");
    return new SkewedCase(table(random), windows, ties, distinct);
  }

  private static String any(Random random, String[] texts) {
    return texts[random.nextInt(texts.length)];
  }

  private static String window(Random random, String by, boolean ties, int farthest, int side) {
    if (random.nextInt(6) == 0) {
      int rows = random.nextInt(farthest + 1);
      boolean lag = side == 0 || (side > 1 && random.nextBoolean());
      String value = ties ? "y" : any(random, SHIFTED);
      return "%s(%s, %d) over (%s)".formatted(lag ? "lag" : "lead", value, rows, by);
    }
    String call = any(random, CALLS);
    if (ties) {
      call = any(random, new String[] {"sum(y)", "avg(y)", "min(y)", "max(y)", "count(y)"});
    }
    int near = random.nextInt(farthest) + 1;
    int far = near + random.nextInt(farthest);
    String frame =
        switch (side) {
          case 0 -> "%d preceding and %d preceding".formatted(far, near);
          case 1 -> "%d following and %d following".formatted(near, far);
          default -> "%d preceding and %d following".formatted(near - 1, random.nextInt(farthest));
        };
    return "%s over (%s rows between %s)".formatted(call, by, frame);
  }

  /** Returns a table with many rows of one group or two, and few of others. */
  private static String table(Random random) {
    int rows = 2000 + random.nextInt(3000);
    int longer = random.nextInt(7);
    int second = random.nextInt(7);
    int share = random.nextInt(40); // percent of the second
    return TABLE
        .replace("ROWS", "" + rows)
        .replace("SLICES", "" + (2 + random.nextInt(5)))
        .replace("SEED", "" + random.nextInt(1000))
        .replace("GROUP", "if(u < %d, %d, if(u < 90, %d, u %% 7))".formatted(share, second, longer))
        .replace("TIME", any(random, new String[] {"id", "ROWS - id", "shuffled", "late"}))
        .replace("ROWS", "" + rows)
        .replace("NULLS", any(random, new String[] {"0", "10", "60"}));
  }

  private static final String TABLE =
      """
      select id, t, nullif(g, 3) as g, g % 2 = 0 as kb, date_add(date'1969-12-28', g) as kday,
        case g when 0 then if(v % 2 = 0, -0D, 0D) when 1 then double('nan') when 2 then null
          else 0.1D * g end as kd,
        case g when 1 then if(v % 2 = 0, float(0), float('-0')) when 2 then float('nan')
          else float(-g) end as kf,
        case g when 0 then '' when 1 then null when 2 then repeat('long key ', 40)
          else 'key ' || g end as kt,
        cast(if(g = 4, null, 'key ' || g) as binary) as kbin, cast(g - 3.5 as decimal(9, 2)) as km,
        timestamp_micros(g * 1000003L - 1) as kat, if(n1, null, t - 700) as nt,
        if(n2, null, case v % 9 when 0 then double('nan') when 1 then -0D when 2 then 0D
          when 3 then double('-infinity') else v % 17 / 4D end) as x,
        if(n3, null, case v % 50 when 0 then float('nan') when 1 then float('-0')
          else float(sin(v)) end) as f,
        case v % 5 when 0 then 9223372036854775807L when 1 then -9223372036854775808L
          when 2 then null else v end as edge,
        if(n1, null, date_add(date'1970-01-01', cast(v % 200 as int) - 100)) as day,
        if(n2, null, timestamp_micros(v % 1000 * 1000000007L - 400000000000L)) as at,
        if(n3, null, cast(v % 100000 / 100 - 300 as decimal(8, 2))) as m,
        if(n1, null, v % 3 = 0) as flag, if(n2, null, cast(v % 100003 as int) - 50000) as i,
        if(n3, null, hash * 3037000499L) as l, if(n1, null, cos(v) * 1e9) as d,
        if(n1, null, cast(v % 30 as int) - 15) as y, if(n2, null, 'text ' || v % 1000) as text
      from (
        select id, TIME as t, v, hash, GROUP as g, v % 101 < NULLS as n1,
          v div 7 % 101 < NULLS as n2, v div 13 % 101 < NULLS as n3
        from (
          select *, hash % 100 as u, pmod(xxhash64(id, hash), 1000000) as v,
            pmod(id * 7919, 10007) as shuffled, if(id % 10 = 0, id + 10000, id) as late
          from (select id, pmod(hash(id, SEED), 1000003) as hash from range(0, ROWS, 1, SLICES))))
      """;

  /** Returns the query of a view of the table. */
  String sql(String view) {
    StringBuilder text = new StringBuilder(ties ? "select g, y" : "select *");
    int count = 0;
    for (String window : windows) {
      text.append(",\n  ").append(window).append(" as c").append(count++);
    }
    return text.append("\nfrom ").append(view).toString();
  }
}
