/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.ErrorWords;
import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random queries of windows with several keys and orders, over one another and among joins, unions,
 * aggregates, subqueries and limits; over tables from memory, the cache and files of all kinds;
 * some of which fail: the same bits and the same errors as Spark's. In sessions that serialize by
 * Java, and in others by Kryo with classes that have to be registered. {@code
 * -Dstencil.composed.queries=N} runs more than the usual few, {@code -Dstencil.composed.seed=S}
 * begins with another seed; a failure names its seed.
 */
final class ComposedCasesSparkTest {
  private static final int QUERIES = Integer.getInteger("stencil.composed.queries", 20);
  private static final long FIRST_SEED = Long.getLong("stencil.composed.seed", 100_001L);

  /** How many queries read one table, which takes as long to make as they do. */
  private static final int OF_TABLE = 6;

  /** One case of so many has a row that fails, unless nobody looks at it. */
  private static final int FAILING = 6;

  /** Queries among which some have to fail. */
  private static final int MANY = 100;

  /** How often Spark is asked for an error that may depend on what fails first. */
  private static final int TIMES = 5;

  private static final List<String> ZONES =
      List.of("UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Europe/Dublin");

  /** Settings with which Spark's own answer takes the fewest tasks and stages. */
  private static final Map<String, String> SIMPLE =
      Map.of("spark.sql.adaptive.enabled", "false", "spark.sql.shuffle.partitions", "1");

  @TempDir static Path folder;

  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private SparkSession spark;
  private Dataset<Row> table;
  private long ofTable = -1;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void composedQueriesHaveSparksBitsAndErrors(boolean kryo) {
    Sessions.stopOpen();
    SparkSession.Builder builder = Sessions.builder("local[2]");
    spark = (kryo ? builder.config(Sessions.KRYO) : builder).getOrCreate();
    FailingInput.register(spark);
    long first = FIRST_SEED + (kryo ? QUERIES / 2 : 0);
    long end = kryo ? FIRST_SEED + QUERIES : FIRST_SEED + QUERIES / 2;
    try {
      for (long seed = first; seed < end; seed++) {
        check(seed);
      }
    } finally {
      spark.stop();
    }
    System.out.printf("seeds %d to %d, %s: %s%n", first, end - 1, kryo ? "Kryo" : "Java", counts);
    assertThat(failures).isEmpty();
    int queries = (int) (end - first);
    assertThat(counts.get("ours")).isGreaterThan(queries / 2);
    assertThat(counts.getOrDefault("errors", 0)).isGreaterThanOrEqualTo(queries / MANY);
    assertThat(counts.getOrDefault("refused by Spark", 0)).isLessThanOrEqualTo(1 + queries / 20);
  }

  private void check(long seed) {
    Random random = new Random(seed);
    boolean ansi = random.nextInt(4) > 0;
    Map<String, String> settings = settings(random, ansi);
    settings.forEach((key, value) -> spark.conf().set(key, value));
    SIMPLE.forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.stencil.sql.enabled", "false");
    if (ofTable != seed / OF_TABLE) {
      makeTable(seed / OF_TABLE);
    }
    Dataset<Row> rows = CaseTable.selected(table, random);
    (random.nextInt(FAILING) == 0 ? FailingInput.in(rows, random) : rows)
        .createOrReplaceTempView("cases");
    ComposedQuery query = ComposedQuery.of(random, ansi);
    String where = "seed %d, table %d, %s:%n%s".formatted(seed, ofTable, settings, query.sql());
    settings.forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.stencil.sql.enabled", "true");
    QueryAnswer ours = QueryAnswer.of(spark, query.sql());
    QueryAnswer sparks =
        WindowPlans.isSparks(spark, where, ours.words()) ? ours : ofSpark(query.sql(), where);
    settings.forEach((key, value) -> spark.conf().set(key, value));
    if (sparks.refused()) {
      count("refused by Spark");
      return;
    }
    query.shapes().forEach(this::count);
    if (sparks.error() != null) {
      count("errors");
      count("error " + sparks.error());
    }
    count(ours.windows() > 0 ? "ours" : "none of ours");
    if (ours.others() > 0) {
      count("some of Spark's");
    }
    if (!ours.sameAs(sparks) && !(ours.error() != null && failsSoWithSpark(query, ours))) {
      failures.add("%s%n%s".formatted(where, ours.difference(sparks)));
      System.out.println("DIFFERS: " + failures.get(failures.size() - 1));
    }
  }

  /** Asks Spark in the fewest tasks and stages. */
  private QueryAnswer ofSpark(String sql, String where) {
    SIMPLE.forEach((key, value) -> spark.conf().set(key, value));
    spark.conf().set("spark.stencil.sql.enabled", "false");
    QueryAnswer sparks = QueryAnswer.of(spark, sql);
    WindowPlans.remember(spark, where, sparks.words());
    return sparks;
  }

  /**
   * Returns whether Spark itself fails as our windows did, with the same settings: it wraps what a
   * subquery fails by, or not, by whether plans are adaptive and by what fails first.
   */
  private boolean failsSoWithSpark(ComposedQuery query, QueryAnswer ours) {
    spark.conf().set("spark.stencil.sql.enabled", "false");
    for (int time = 0; time < TIMES; time++) {
      if (ours.sameAs(QueryAnswer.of(spark, query.sql()))) {
        count("errors that Spark has with the same settings");
        return true;
      }
    }
    return false;
  }

  private void makeTable(long seed) {
    if (table != null) {
      spark.catalog().clearCache();
    }
    Random random = new Random(~seed);
    StoredCases place = StoredCases.draw(random);
    Dataset<Row> made = CaseTable.of(spark, random);
    table =
        place.stored(
            made,
            random,
            folder,
            spark.sparkContext().applicationId().replace('-', '_') + "_" + seed);
    ofTable = seed;
    count("from " + place);
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /**
   * What came of a query.
   *
   * @param rows their words, in an order of their own; null if it failed
   * @param error the kind of its error, or null
   * @param refused whether it has not begun
   * @param windows how many windows our operators computed
   * @param others how many Spark's did
   */
  private record QueryAnswer(
      List<String> rows, String error, String message, boolean refused, int windows, int others) {
    static QueryAnswer of(SparkSession spark, String sql) {
      AtomicReference<Dataset<Row>> query = new AtomicReference<>();
      AtomicReference<List<String>> rows = new AtomicReference<>();
      Throwable thrown =
          ErrorWords.thrown(
              () -> {
                query.set(spark.sql(sql));
                rows.set(RowBits.sorted(query.get()));
                return rows;
              });
      if (thrown instanceof AnalysisException) {
        return new QueryAnswer(null, ErrorWords.kind(thrown), ErrorWords.of(thrown), true, 0, 0);
      }
      return new QueryAnswer(
          rows.get(),
          thrown == null ? null : ErrorWords.kind(cause(thrown)),
          thrown == null ? null : ErrorWords.of(thrown),
          false,
          WindowPlans.ours(WindowPlans.plan(query.get())).size(),
          WindowPlans.sparks(query.get()));
    }

    /**
     * Returns what failed where several stages, or the rows of a broadcast, have: which of them
     * Spark names first is a matter of time.
     */
    private static Throwable cause(Throwable thrown) {
      boolean several =
          thrown instanceof SparkThrowable known
              && "STAGE_MATERIALIZATION_MULTIPLE_FAILURES".equals(known.getCondition());
      return several || thrown instanceof ExecutionException ? cause(thrown.getCause()) : thrown;
    }

    /** Returns the rows, or how it failed. */
    List<String> words() {
      return error == null ? rows : List.of((refused ? "refused: " : "failed: ") + error);
    }

    boolean sameAs(QueryAnswer sparks) {
      return error == null ? rows.equals(sparks.rows) : error.equals(sparks.error);
    }

    String difference(QueryAnswer sparks) {
      if (error != null || sparks.error != null) {
        return "ours: %s%nSpark: %s".formatted(message, sparks.message);
      }
      for (int i = 0; i < Math.min(rows.size(), sparks.rows.size()); i++) {
        if (!rows.get(i).equals(sparks.rows.get(i))) {
          return "row %d: ours %s%nSpark: %s".formatted(i, rows.get(i), sparks.rows.get(i));
        }
      }
      return "ours has %d rows, Spark %d".formatted(rows.size(), sparks.rows.size());
    }
  }

  private static Map<String, String> settings(Random random, boolean ansi) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.ansi.enabled", String.valueOf(ansi));
    settings.put("spark.sql.adaptive.enabled", String.valueOf(random.nextBoolean()));
    boolean compiled = random.nextInt(4) == 0; // takes as long as all the rest
    settings.put("spark.sql.codegen.wholeStage", String.valueOf(compiled));
    settings.put("spark.sql.codegen.factoryMode", compiled ? "FALLBACK" : "NO_CODEGEN");
    settings.put("spark.sql.shuffle.partitions", one(random, "1", "2", "3", "5"));
    settings.put("spark.sql.files.maxPartitionBytes", one(random, "128m", "8k"));
    settings.put("spark.sql.session.timeZone", one(random, ZONES.toArray(String[]::new)));
    String columns = String.valueOf(random.nextInt(3) > 0);
    settings.put("spark.sql.parquet.enableVectorizedReader", columns);
    settings.put("spark.sql.orc.enableVectorizedReader", columns);
    settings.put("spark.sql.autoBroadcastJoinThreshold", one(random, "-1", "10m"));
    settings.put("spark.sql.inMemoryColumnarStorage.batchSize", one(random, "10000", "7"));
    settings.put("spark.sql.columnVector.offheap.enabled", one(random, "false", "false", "true"));
    settings.put("spark.stencil.engine", random.nextInt(6) > 0 ? "auto" : "reference");
    return settings;
  }

  private static String one(Random random, String... all) {
    return all[random.nextInt(all.length)];
  }
}
