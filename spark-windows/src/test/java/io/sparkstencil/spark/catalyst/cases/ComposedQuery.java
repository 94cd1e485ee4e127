/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A random query of windows with other operators around them.
 *
 * @param sql its text; no row of its result depends on how Spark orders rows that nobody ordered
 * @param shapes what it has: windows over windows, joins and so on
 */
record ComposedQuery(String sql, Set<String> shapes) {
  private static final String COLUMNS =
      "g, h, x, b, s, i, l, w, f, d, m, n, p, day, at, text, whole";

  private static final String[] CONDITIONS = {
    "whole % 3 > 0",
    "x > 1 or g is null",
    "length(text) > 6",
    "h is not null",
    "id % 7 <> 3",
    "g < 4"
  };

  private static final String[] OF_RESULTS = {
    "$C is not null", "$C is null or id % 2 = 0", "hash($C) % 3 <> 0"
  };

  private static final String[] GROUPS = {
    "g", "upper(h)", "day", "id % 5", "struct(g, h)", "make_dt_interval(g)", "hour(at)", "g, id % 2"
  };

  private static final String[] HINTS = {
    "", "", "/*+ broadcast(b) */", "/*+ merge(b) */", "/*+ shuffle_hash(b) */"
  };

  /** Builds one query. */
  private static final class Drawing {
    private final Random random;
    private final DrawnWindows windows;
    private final Set<String> shapes = new TreeSet<>();
    private int names;

    Drawing(Random random, boolean ansi) {
      this.random = random;
      this.windows = new DrawnWindows(random, ansi);
    }

    /**
     * What can stand after FROM, with all columns of the table, of which {@code id} is different in
     * each row.
     *
     * @param results columns of windows
     */
    record Relation(String text, List<String> results) {
      Relation with(String select) {
        return new Relation("(" + select.replace("$REL", text) + ")", results);
      }
    }

    private String pick(String... all) {
      return all[random.nextInt(all.length)];
    }

    private String result(Relation of) {
      return of.results().get(random.nextInt(of.results().size()));
    }

    private Relation windowed(Relation below) {
      shapes.add(below.results().isEmpty() ? "windows" : "windows over windows");
      List<String> results = new ArrayList<>(below.results());
      StringBuilder select = new StringBuilder("select *");
      for (String window : windows.draw(below.results())) {
        String name = "c" + names++;
        select.append(",\n  ").append(window).append(" as ").append(name);
        results.add(name);
      }
      return new Relation("(" + select + "\nfrom " + below.text() + ")", results);
    }

    /** Returns a relation with windows, one at least. */
    Relation relation(int depth) {
      Relation below = new Relation("cases", List.of());
      for (int i = random.nextInt(2); i > 0; i--) {
        below = around(below, 0);
      }
      below = windowed(below);
      for (int i = 0; i < depth; i++) {
        below = random.nextInt(3) == 0 ? windowed(below) : around(below, depth - 1);
      }
      return below;
    }

    private Relation around(Relation below, int depth) {
      return switch (random.nextInt(9)) {
        case 0 -> named("union", union(below));
        case 1 -> named("filter", below.with("select * from $REL where " + condition(below)));
        case 2 -> named("limit", limited(below));
        case 3 -> named("explode", exploded(below));
        case 4 -> named("subquery", filtered(below, depth));
        case 5 -> named("first rows", first(below));
        case 6 -> named("distinct", below.with("select distinct * from $REL"));
        default -> named("join", joined(below, depth));
      };
    }

    private Relation named(String shape, Relation made) {
      shapes.add(shape);
      return made;
    }

    private String condition(Relation of) {
      return of.results().isEmpty() || random.nextBoolean()
          ? pick(CONDITIONS)
          : pick(OF_RESULTS).replace("$C", result(of));
    }

    private Relation union(Relation of) {
      String all = COLUMNS + (of.results().isEmpty() ? "" : ", " + String.join(", ", of.results()));
      String side = "select id * 2 + %d as id, t * 2 + %d as t, " + all + " from $REL where %s";
      return of.with(
          side.formatted(0, 0, pick(CONDITIONS))
              + " union all "
              + side.formatted(1, 1, pick(CONDITIONS)));
    }

    private Relation limited(Relation of) {
      String offset = random.nextInt(3) == 0 ? " offset " + random.nextInt(20) : "";
      return of.with(
          "select * from $REL order by id%s limit %d%s"
              .formatted(pick("", " desc"), 1 + random.nextInt(120), offset));
    }

    private Relation exploded(Relation of) {
      return of.with(
          "select * except (id, t, e), id * 2 + e as id, t * 2 + e as t"
              + " from $REL lateral view explode(if(id % 3 = 0, array(0, 1), array(1))) v as e");
    }

    private Relation first(Relation of) {
      String rank = "r" + names++;
      return of.with(
          "select * except (%s) from (select *, %s as %s from $REL) where %s <= %d"
              .formatted(rank, windows.number(), rank, rank, 1 + random.nextInt(9)));
    }

    private Relation filtered(Relation of, int depth) {
      Relation other = depth > 0 ? relation(depth - 1) : windowed(new Relation("cases", List.of()));
      String where = condition(other);
      String test =
          pick(
              "id in (select id from $OTHER where $C)",
              "id not in (select id from $OTHER where $C)",
              "exists (select 1 from $OTHER o where o.id = r.id + 1 and $C)",
              "not exists (select 1 from $OTHER o where o.id = r.id and $C)",
              "l < (select max(l) from $OTHER where $C) or l is null");
      return of.with(
          "select * from $REL r where "
              + test.replace("$OTHER", other.text()).replace("$C", where));
    }

    private Relation joined(Relation of, int depth) {
      Relation other = depth > 0 ? relation(depth - 1) : windowed(new Relation("cases", List.of()));
      String name = "c" + names++;
      String result = result(other);
      List<String> results = new ArrayList<>(of.results());
      results.add(name);
      String text =
          pick(
              "select $HINT a.*, b.v as $N from $REL a $KIND join (select id, $C as v from $OTHER) b on a.id = b.id",
              "select $HINT a.*, b.v as $N from $REL a $KIND join (select g, count($C) as v from $OTHER group by g) b"
                  + " on a.g = b.g",
              "select $HINT a.*, b.v as $N from $REL a $KIND join"
                  + " (select struct(h) as k, max(hash($C)) as v from $OTHER group by 1) b on struct(a.h) = b.k");
      return new Relation(
          "("
              + text.replace("$HINT", pick(HINTS))
                  .replace("$KIND", pick("", "left"))
                  .replace("$N", name)
                  .replace("$OTHER", other.text())
                  .replace("$C", result)
                  .replace("$REL", of.text())
              + ")",
          results);
    }

    String query() {
      Relation of = relation(random.nextInt(3));
      List<String> columns = of.results();
      return switch (random.nextInt(8)) {
        case 0, 1, 2 -> select(of, "select id, " + String.join(", ", columns) + " from $REL");
        case 3, 4 -> aggregate(of);
        case 5 -> overAggregates(of);
        case 6 -> ordered(of);
        default -> twice(of);
      };
    }

    private static String select(Relation of, String text) {
      return text.replace("$REL", of.text());
    }

    private String aggregate(Relation of) {
      shapes.add("aggregate");
      String having = random.nextInt(3) == 0 ? " having count(*) > 1" : "";
      String groups = random.nextInt(5) == 0 ? "" : pick(GROUPS);
      String text =
          "select %s, count(*), count($C), min(hash($C)), max(l), sum(l), sum(m), count(distinct $D),"
              + " bit_xor(xxhash64(id, $C, $D)) from $REL%s%s";
      return select(
          of,
          text.formatted(
                  groups.isEmpty() ? "0" : groups,
                  groups.isEmpty() ? "" : " group by " + groups,
                  having)
              .replace("$C", result(of))
              .replace("$D", result(of)));
    }

    private String overAggregates(Relation of) {
      shapes.add("windows over aggregates");
      String text =
          "select k, n, rank() over (order by n desc, k), sum(s) over (order by k rows 2 preceding),"
              + " max(v) over (partition by n % 2 order by k), lag(n) over (order by k desc)"
              + " from (select $K as k, count(*) as n, sum(i) as s, min(hash($C)) as v from $REL group by $K)";
      String key = pick("g", "upper(h)", "day", "id % 5", "struct(g, id % 2)", "hour(at)");
      return select(of, text.replace("$K", key).replace("$C", result(of)));
    }

    private String ordered(Relation of) {
      shapes.add("order and limit");
      return select(
          of,
          "select id, %s from $REL order by %s limit %d"
              .formatted(
                  String.join(", ", of.results()),
                  pick("id", "t desc", "x desc, id", "text collate utf8_lcase, id"),
                  1 + random.nextInt(80)));
    }

    private String twice(Relation of) {
      shapes.add("used twice");
      String text =
          "with q as (select * from $REL) select a.id, a.$C, b.$D, (select count($C) from q) as n"
              + " from q a $KIND join q b on a.id = b.id + 1";
      return select(
          of,
          text.replace("$KIND", pick("", "left", "full"))
              .replace("$C", result(of))
              .replace("$D", result(of)));
    }
  }

  /** Draws a query over the view {@code cases}. */
  static ComposedQuery of(Random random, boolean ansi) {
    Drawing drawing = new Drawing(random, ansi);
    String sql = drawing.query();
    return new ComposedQuery(sql, Set.copyOf(drawing.shapes));
  }
}
