/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.StencilExec;
import io.sparkstencil.spark.catalyst.plan.WindowPlace;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random windows over random tables in random settings: the same bits as Spark's own, and the
 * expected operators ran. {@code -Dstencil.windows.queries=N} runs more than the usual few, {@code
 * -Dstencil.windows.seed=S} begins with another seed; a failure names its seed.
 */
@WithSpark
final class WindowCasesSparkTest {
  private static final int QUERIES = Integer.getInteger("stencil.windows.queries", 12);
  private static final long FIRST_SEED = Long.getLong("stencil.windows.seed", 1L);
  private static final int WINDOWS = Integer.getInteger("stencil.windows.each", 20);

  /** Where runs with other seeds count together; null if each counts by itself. */
  private static final String TALLY = System.getProperty("stencil.windows.tally");

  @TempDir static Path folder;
  private static SparkSession spark;

  /** Windows among which every function and every kind of frame has to be, often. */
  private static final int MANY = 10_000;

  private final CaseCounts counts = new CaseCounts();

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  @Test
  void randomWindowsHaveSparksBits() throws IOException {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + QUERIES; seed++) {
      check(seed);
    }
    assertThat(counts.windows()).isGreaterThanOrEqualTo(QUERIES * WINDOWS / 2); // less with ties
    if (TALLY == null) { // a part of many may lack what all of them have
      assertThat(counts.limited()).isPositive();
      assertThat(counts.columnar()).isPositive();
      assertThat(counts.collected()).isPositive();
      assertThat(counts.cumulative()).isPositive();
    } else {
      counts.addThoseOf(Path.of(TALLY));
    }
    System.out.printf(
        "%d windows in %d queries, %d of them limited, %d in columns, %d from the scan on, %d with"
            + " other windows of columns, %d with columns of their results; seeds %d to %d%n%s",
        counts.windows(),
        counts.queries(),
        counts.limited(),
        counts.columnar(),
        counts.scanned(),
        counts.collected(),
        counts.cumulative(),
        FIRST_SEED,
        FIRST_SEED + QUERIES - 1,
        counts.table());
    if (counts.windows() >= MANY) {
      assertThat(counts.limited()).isGreaterThanOrEqualTo(counts.queries() / 20);
      assertThat(counts.columnar()).isGreaterThanOrEqualTo(counts.queries() / 20);
      assertThat(counts.scanned()).isGreaterThanOrEqualTo(counts.queries() / 100);
      assertThat(counts.collected()).isGreaterThanOrEqualTo(counts.queries() / 20);
      assertThat(counts.cumulative()).isGreaterThanOrEqualTo(counts.queries() / 50);
      assertThat(counts.functions()).allSatisfy(WindowCasesSparkTest::isOften);
      assertThat(counts.frames()).allSatisfy(WindowCasesSparkTest::isOften);
    }
  }

  /** All rows have one key, so that Spark computes both windows from the same series. */
  @Test
  void oneGroupOfManyRows() {
    String keyed = manyRows("partition by g order by t", 300_007);
    sameDigest(keyed, List.of(keyed, manyRows("order by t", 300_007)));
  }

  @Test
  void groupsOfFiftyThousandRows() {
    String sql = manyRows("partition by t % 3 order by t", 150_011);
    sameDigest(sql, List.of(sql));
  }

  /** Returns a query for a digest of some windows, {@code t} being different in each row. */
  private static String manyRows(String by, int rows) {
    return """
    select count(*), bit_xor(bits), sum(cast(bits as decimal(38, 0))) from (
      select xxhash64(t, avg(d) over (BY rows between 4 preceding and 3 following),
        sum(i) over (BY rows between 4 preceding and 3 following),
        max(d) over (BY rows between 2 following and 5 following),
        count(d) over (BY rows between 4 preceding and 3 following)) as bits
      from (select pmod(id * 7919, ROWS) as t, 0 * id as g, cast(id as int) as i,
        if(id % 17 = 0, null, sin(id)) as d from range(0, ROWS, 1, 3)))
    """
        .replace("BY", by)
        .replace("ROWS", "" + rows);
  }

  /** Checks that operators of ours find for each query what Spark finds for the first. */
  private static void sameDigest(String sparks, List<String> queries) {
    Sessions.compile(spark);
    spark.conf().set("spark.sql.adaptive.enabled", "true");
    spark.conf().set("spark.sql.shuffle.partitions", "4");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    for (String sql : queries) {
      Dataset<Row> ours = spark.sql(sql);
      WindowPlans.areSparks(
          spark, sparks, RowBits.sorted(ours), () -> WindowPlans.expected(spark, sparks));
      assertThat(WindowPlans.stencils(ours)).as(sql).isNotEmpty();
      assertThat(WindowPlans.sparks(ours)).as(sql).isZero();
    }
  }

  private static void isOften(String kind, int count) {
    assertThat(count).as(kind).isGreaterThanOrEqualTo(100);
  }

  private void check(long seed) {
    Random random = new Random(seed);
    boolean ansi = random.nextBoolean();
    Map<String, String> settings = settings(random, ansi);
    settings.forEach((key, value) -> spark.conf().set(key, value));
    Dataset<Row> table = CaseTable.of(spark, random);
    int kept = random.nextInt(4);
    boolean cached = kept == 0;
    if (cached) {
      table = table.cache();
    } else if (kept == 1) {
      table = CaseTable.inFiles(table, random, folder.resolve("seed-" + seed));
    }
    boolean stored = kept == 1;
    Dataset<Row> selected = CaseTable.selected(table, new Random(~seed));
    selected.createOrReplaceTempView("cases");
    CaseQuery query =
        switch ((int) (seed % (stored ? 16 : 12))) { // in turn, so that a few have them all
          case 0 -> CaseQuery.mixed(random, WINDOWS, ansi);
          case 1, 2 -> CaseQuery.running(random, WINDOWS, ansi);
          case 3 -> CaseQuery.collected(random, WINDOWS, ansi);
          case 4, 5, 6, 7 -> CaseQuery.bounded(random, WINDOWS, ansi);
          case 8 -> CaseQuery.moving(random, WINDOWS);
          case 9 -> CaseQuery.limited(random, WINDOWS, ansi);
          case 10, 12, 13, 14, 15 -> CaseQuery.columns(random, WINDOWS, ansi);
          default -> CaseQuery.taken(random, WINDOWS, ansi);
        };
    String sql = query.sql("cases", new Random(-seed).nextBoolean() ? ", text, h" : "");
    List<Row> expected = rows(spark.sql(sql));
    spark.conf().set("spark.stencil.sql.enabled", "true");
    try {
      Dataset<Row> ours = spark.sql(sql);
      compare(query, rows(ours), expected, "seed " + seed + " " + settings);
      if (!expected.isEmpty()) { // Spark leaves out windows over what it knows to be empty
        String where =
            "seed %d, %s:%n%s%n%s".formatted(seed, settings, sql, WindowPlans.plan(ours));
        long rows = selected.count();
        boolean limited = checkOperators(query, ours, rows, where);
        boolean batches = stored && settings.get("spark.sql.codegen.wholeStage").equals("true");
        checkColumns(query, ours, rows, batches, where);
        counts.add(query, query.refused() == 0 ? query.windows() : List.of(), limited);
      }
    } finally {
      spark.conf().set("spark.stencil.sql.enabled", "false");
      if (cached) {
        table.unpersist(true);
      }
    }
  }

  /** Checks where windows ran, and tells whether rows were limited before. */
  private boolean checkOperators(CaseQuery query, Dataset<Row> ours, long rows, String where) {
    assertThat(WindowPlans.stencils(ours).isEmpty()).as(where).isEqualTo(query.stencils() == 0);
    assertThat(WindowPlans.running(ours)).as(where).hasSize(query.running());
    assertThat(WindowPlans.bounded(ours)).as(where).hasSize(query.keyed() ? 0 : query.bounded());
    assertThat(WindowPlans.series(ours)).as(where).hasSize(query.series());
    assertThat(WindowPlans.sparks(ours)).as(where).isEqualTo(query.refused());
    boolean limited = query.most() > 0 && rows > query.most(); // else Spark knows
    if (limited) {
      assertThat(WindowPlans.limits(ours)).as(where).isEqualTo(1);
    }
    return limited;
  }

  /**
   * Rows of columns that allow it are columns, unless Spark has put the series together already.
   *
   * @param batches whether they were read as columns
   */
  private void checkColumns(
      CaseQuery query, Dataset<Row> ours, long rows, boolean batches, String where) {
    List<StencilExec> operators = WindowPlans.stencils(WindowPlans.plan(ours));
    if (query.areColumns() && operators.stream().allMatch(StencilExec::isShuffling)) {
      assertThat(WindowPlans.columnRows(ours)).as(where).isEqualTo(rows);
      counts.addColumnar(batches);
      if (batches) {
        assertThat(where).contains("series from columns to columns");
      }
    }
    for (StencilExec each : WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES)) {
      boolean columns = each.argString(Integer.MAX_VALUE).contains("shuffled as columns");
      long output = each.metrics().apply("numOutputRows").value();
      assertThat(each.metrics().apply("columnRows").value())
          .as(where)
          .isEqualTo(columns ? output : 0);
      if (columns && query.areLoops()) {
        assertThat(each.supportsColumnar()).as(where).isTrue();
      }
      counts.addCollected(columns, each.supportsColumnar());
    }
  }

  private static Map<String, String> settings(Random random, boolean ansi) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.ansi.enabled", String.valueOf(ansi));
    settings.put("spark.sql.adaptive.enabled", String.valueOf(random.nextBoolean()));
    settings.put("spark.sql.codegen.wholeStage", String.valueOf(random.nextInt(4) > 0));
    settings.put(
        "spark.sql.codegen.factoryMode", random.nextInt(4) > 0 ? "FALLBACK" : "NO_CODEGEN");
    settings.put(
        "spark.sql.shuffle.partitions", String.valueOf(new int[] {1, 2, 5, 13}[random.nextInt(4)]));
    settings.put("spark.sql.files.maxPartitionBytes", random.nextBoolean() ? "128m" : "2k");
    settings.put("spark.stencil.engine", random.nextInt(6) > 0 ? "auto" : "reference");
    return settings;
  }

  private static List<Row> rows(Dataset<Row> query) {
    Row[] rows = query.collectAsList().toArray(Row[]::new);
    Arrays.sort(rows, Comparator.comparing(row -> row.getLong(0)));
    return Arrays.asList(rows);
  }

  private static void compare(CaseQuery query, List<Row> actual, List<Row> expected, String where) {
    assertThat(actual).as(where).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      for (int c = 0; c < expected.get(i).size() - 1; c++) {
        String ours = RowBits.word(actual.get(i).get(c + 1));
        String sparks = RowBits.word(expected.get(i).get(c + 1));
        if (!ours.equals(sparks)) {
          throw new AssertionError(
              "%s, row %d: %s: %s, but Spark has %s"
                  .formatted(where, expected.get(i).getLong(0), named(query, c), ours, sparks));
        }
      }
    }
  }

  private static String named(CaseQuery query, int column) {
    return column < query.windows().size() ? query.windows().get(column) : "a column beside";
  }
}
