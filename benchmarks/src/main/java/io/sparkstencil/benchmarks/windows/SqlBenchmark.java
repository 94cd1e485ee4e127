/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.rand;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.spark.StencilExtensions;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.StencilReport;
import io.sparkstencil.spark.Stencils;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * SQL windows over Parquet, Spark's operator against ours in one process, and in processes of their
 * own whatever a plugin makes of them.
 */
@Command(name = "sql", description = "SQL windows over Parquet, against Spark's own operator.")
public final class SqlBenchmark extends BenchmarkCommand {
  @Option(names = "--data", required = true, description = "The folder for the tables.")
  private Path data;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--rows", defaultValue = "8000000", description = "Rows of the table.")
  private long rows;

  @Option(names = "--series", defaultValue = "256", description = "Series, whose rows take turns.")
  private int series;

  @Option(names = "--files", defaultValue = "16", description = "Files of the table.")
  private int files;

  @Option(names = "--repeats", defaultValue = "3", description = "Turns.")
  private int repeats;

  @Option(names = "--peer-repeats", description = "Turns of Spark's operator; all if not given.")
  private Integer peerRepeats;

  @Option(names = "--radii", split = ",", defaultValue = "8,32", description = "Radii.")
  private List<Integer> radii;

  @Option(
      names = "--work",
      split = ",",
      defaultValue = "partitioned,unpartitioned,ordered",
      description =
          "Any of ${COMPLETION-CANDIDATES}. Rows come by time, as from a feed, or, shuffled and"
              + " unsorted, in random order; those known and declared are in a cached table that"
              + " Spark has sorted, so that it knows their order; ordered and declared rows are"
              + " declared to be in order.")
  private List<RowArrival> works;

  @Option(
      names = "--subjects",
      split = ",",
      defaultValue = "spark,sql",
      description =
          "Any of spark, rapids (what a plugin makes of it), sql (the engine that is chosen), cpu,"
              + " gpu, api (the same window by our Dataset API).")
  private List<String> subjects;

  @Option(
      names = "--against",
      description =
          "The subject, of these or of earlier results, that all are compared with; the first if"
              + " not given.")
  private String against;

  @Option(names = "--function", defaultValue = "avg", description = "The aggregate function.")
  private String function;

  @Option(
      names = "--check",
      paramLabel = "ROWS",
      description = "Rows by whose results subjects are compared; all if not given.")
  private Long checkedRows;

  @Option(
      names = "--cold",
      description = "Measure the first run, without one before that warms up.")
  private boolean cold;

  @Option(
      names = "--adaptive",
      arity = "1",
      defaultValue = "true",
      description = "Whether Spark plans adaptively.")
  private boolean adaptive;

  private SparkSession plain;
  private SparkSession extended;
  private List<BenchmarkRow> before;

  /** How the rows come, and what is known of it. */
  private enum RowArrival {
    PARTITIONED,
    UNPARTITIONED,
    ORDERED,
    SHUFFLED,
    UNSORTED,
    KNOWN,
    DECLARED;

    private boolean isRandom() {
      return this == SHUFFLED || this == UNSORTED;
    }

    private boolean isDeclared() {
      return this == ORDERED || this == DECLARED;
    }

    private boolean isCached() {
      return this == KNOWN || this == DECLARED;
    }

    private boolean hasKeys() {
      return this == PARTITIONED || this == SHUFFLED;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  protected void measure() throws IOException {
    peerRepeats = peerRepeats == null ? Integer.valueOf(repeats) : peerRepeats;
    checkedRows = checkedRows == null ? Long.valueOf(rows) : checkedRows;
    against = against == null ? subjects.get(0) : against;
    before = earlier();
    plain = session().getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    extended = session().withExtensions(new StencilExtensions()).getOrCreate();
    write();
    for (RowArrival work : works) {
      for (int radius : radii) {
        measure(work, radius, radius == radii.get(0));
      }
    }
    plain.stop();
  }

  private SparkSession.Builder session() {
    return LocalSpark.session("sql-benchmark", master)
        .config("spark.sql.adaptive.enabled", adaptive);
  }

  private String file(String name) {
    return data.resolve("%s-%d-%d".formatted(name, rows, name.equals("feed") ? series : 0))
        .toString();
  }

  /** Writes what is measured, unless it is there. */
  private void write() {
    Dataset<Row> range = plain.range(0, rows, 1, files).toDF();
    LocalSpark.writeOnce(
        file("feed"),
        range.select(
            expr("cast(id %% %d as int)".formatted(series)).as("series"),
            col("id").multiply(10).as("t"),
            rand(7).multiply(100).as("v")));
    if (works.stream().anyMatch(RowArrival::isRandom)) {
      LocalSpark.writeOnce(
          file("random"),
          plain.read().parquet(file("feed")).orderBy(xxhash64(col("t"))).coalesce(files));
    }
  }

  private Dataset<Row> query(RowArrival work, String subject, int radius, long most) {
    boolean ours = List.of("sql", "cpu", "gpu").contains(subject);
    SparkSession session = ours || subject.equals("api") ? extended : plain;
    session.conf().set("spark.stencil.sql.enabled", session == extended);
    boolean named = List.of("cpu", "gpu").contains(subject);
    session.conf().set("spark.stencil.engine", named ? subject : "auto");
    Dataset<Row> input = session.read().parquet(file(work.isRandom() ? "random" : "feed"));
    input = most < rows ? input.where(col("t").lt(most * 10)) : input;
    input = work.isCached() ? input.orderBy("t").cache() : input;
    if (subject.equals("api") || (ours && work.isDeclared())) {
      StencilQuery query = Stencils.over(input).orderBy("t");
      query = work.hasKeys() ? query.partitionBy("series") : query;
      query = work.isDeclared() ? query.ordered() : query;
      return query.mean("v", radius, "m").toDataset();
    }
    input.createOrReplaceTempView("cells");
    return session.sql(
        "select *, %s(v) over (%s order by t rows between %d preceding and %d following) m from cells"
            .formatted(function, work.hasKeys() ? "partition by series" : "", radius, radius));
  }

  /** A peer that takes a minute is measured once, warmed by what ran before. */
  private int repeats(String subject, int radius) {
    return subject.equals("spark") ? (radius > 100 ? 1 : peerRepeats) : repeats;
  }

  private void measure(RowArrival work, int radius, boolean first) {
    for (String subject : subjects) {
      boolean peer = subject.equals("spark");
      if ((first || !peer) && !cold) {
        LocalSpark.seconds(query(work, subject, radius, peer ? rows / 8 : rows));
      }
    }
    Map<String, Double> stencilSeconds = new HashMap<>();
    Map<String, List<Double>> seconds =
        Turns.measure(
            subjects,
            0,
            subject -> repeats(subject, radius),
            subject -> {
              StencilReport ran;
              double taken;
              try (StencilReport report = StencilReport.listen(extended)) {
                ran = report;
                taken = LocalSpark.seconds(query(work, subject, radius, rows));
              }
              stencilSeconds.put(subject, ran.millisByStep().get("stencil") / 1e3);
              return taken;
            });
    // Where a plugin computes what is called Spark's, there is nothing to compare with.
    boolean checkable = !subjects.contains("rapids");
    long expected = checkable ? digest(query(work, "spark", radius, checkedRows)) : 0;
    String name = "sql/%s/%s/%d/k=%d".formatted(function, work, rows, radius);
    double theirs =
        subjects.contains(against)
            ? Quantiles.median(seconds.get(against))
            : earlier(name, against);
    seconds.forEach(
        (subject, measured) -> {
          boolean equal =
              checkable && digest(query(work, subject, radius, checkedRows)) == expected;
          double median = Quantiles.median(measured);
          String note = note(median, equal, stencilSeconds.get(subject));
          double ratio = theirs / median;
          add(BenchmarkRow.of(name, subject, against, measured, "s", ratio, equal, note));
        });
  }

  private String note(double median, boolean checked, double stencilSeconds) {
    String note = "%s, %.1f M rows/s".formatted(master, rows / median / 1e6);
    if (checked && checkedRows < rows) {
      note += "; results compared over %d rows".formatted(checkedRows);
    }
    if (stencilSeconds > 0) {
      note +=
          "; stencils alone %.3f s of all tasks' time, %.0f M rows/s for each core"
              .formatted(stencilSeconds, rows / stencilSeconds / 1e6);
    }
    return note;
  }

  /** Returns a median from the results that are there, or 0, so that the ratio is 0 as well. */
  private double earlier(String name, String subject) {
    return before.stream()
        .filter(row -> row.name().equals(name) && row.subject().equals(subject))
        .mapToDouble(BenchmarkRow::value)
        .findFirst()
        .orElse(0);
  }

  private static long digest(Dataset<Row> query) {
    return LocalSpark.digest(query, "series, t, v, m");
  }
}
