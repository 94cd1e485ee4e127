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
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Windows that are no stencils, Spark's operator against ours in one process. */
@Command(
    name = "running",
    description = "Ranges of keys, running totals and ranks, against Spark's own.")
public final class RunningBenchmark extends BenchmarkCommand {
  private static final String SPARK = "spark";
  private static final String OURS = "sql";
  private static final String RAPIDS = "rapids";

  @Option(names = "--data", required = true, description = "The folder for the tables.")
  private Path data;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--rows", defaultValue = "8000000", description = "Rows of the table.")
  private long rows;

  @Option(
      names = "--spark-rows",
      description =
          "Rows of a table of its own for Spark's operator, if it is too slow for all; ratios are then of rows per"
              + " second, and results are compared over that table.")
  private Long sparkRows;

  @Option(names = "--series", defaultValue = "1024", description = "Series, whose rows take turns.")
  private int series;

  @Option(names = "--files", defaultValue = "16", description = "Files of the table.")
  private int files;

  @Option(
      names = "--timestamps",
      defaultValue = "TIMESTAMP_MICROS",
      description =
          "How files have times: TIMESTAMP_MICROS, as most programs write them; INT96, as Spark"
              + " writes them if not told otherwise, without statistics.")
  private String timestamps;

  @Option(names = "--repeats", defaultValue = "3", description = "Turns, after one that warms up.")
  private int repeats;

  @Option(
      names = "--arrivals",
      split = ",",
      defaultValue = "feed,random",
      description = "How rows come: feed, by time; random.")
  private List<String> arrivals;

  @Option(
      names = "--over",
      split = ",",
      defaultValue = "series,all",
      description = "What windows are over: series, each; all, the rows as one.")
  private List<String> overs;

  @Option(
      names = "--window",
      description = "Windows as NAME=SQL, where BY stands for keys and order; some if not given.")
  private Map<String, String> windows = new LinkedHashMap<>();

  @Option(
      names = "--subjects",
      split = ",",
      defaultValue = "spark,sql",
      description =
          "Any of spark, sql (our operators), rapids (what a plugin makes of it); all are compared with the first.")
  private List<String> subjects;

  @Option(
      names = "--where",
      description =
          "Which rows are wanted, by the window's result m, such as m <= 3; all if not given.")
  private String where;

  private SparkSession plain;
  private SparkSession extended;

  @Override
  protected void measure() {
    if (windows.isEmpty()) {
      windows.put("range-avg", "avg(v) over (BY range interval 7 days preceding)");
      windows.put("sum-long", "sum(l) over (BY)");
      windows.put("sum-double", "sum(v) over (BY)");
      windows.put("row-number", "row_number() over (BY)");
      windows.put("rank", "rank() over (BY)");
    }
    plain = session().getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    extended = session().withExtensions(new StencilExtensions()).getOrCreate();
    write(rows);
    write(rowsOf(SPARK));
    for (String over : overs) {
      String by = over.equals("all") ? "order by at" : "partition by series order by since";
      for (String arrival : arrivals) {
        windows.values().stream().limit(1).forEach(each -> measure(arrival, sql(each, by), 1));
        windows.forEach((name, each) -> measure(over, arrival, name, sql(each, by)));
      }
    }
    plain.stop();
  }

  private static String sql(String window, String by) {
    return window.replace("BY", by);
  }

  private SparkSession.Builder session() {
    return LocalSpark.session("running-benchmark", master);
  }

  /** Returns how many rows a subject is measured with. */
  private long rowsOf(String subject) {
    return subject.equals(SPARK) && sparkRows != null ? sparkRows : rows;
  }

  private String file(String name, long rows) {
    return data.resolve("running-%s-%d-%d-%s".formatted(name, rows, series, timestamps)).toString();
  }

  /** Writes a table of what is measured, unless it is there. */
  private void write(long rows) {
    plain.conf().set("spark.sql.parquet.outputTimestampType", timestamps);
    LocalSpark.writeOnce(
        file("feed", rows),
        plain
            .range(0, rows, 1, files)
            .select(
                expr("cast(id %% %d as int)".formatted(series)).as("series"),
                // A week has 336 rows, of all or of a series.
                expr("timestamp_seconds(1800 * id)").as("at"),
                expr("timestamp_seconds(1800 * (id div %d))".formatted(series)).as("since"),
                expr("xxhash64(id) >> 30").as("l"),
                rand(7).multiply(100).as("v")));
    if (arrivals.contains("random")) {
      LocalSpark.writeOnce(
          file("random", rows),
          plain.read().parquet(file("feed", rows)).orderBy(xxhash64(col("at"))).coalesce(files));
    }
  }

  private Dataset<Row> query(String subject, long rows, String arrival, String window) {
    SparkSession session = subject.equals(OURS) ? extended : plain;
    session.conf().set("spark.stencil.sql.enabled", session == extended);
    session.conf().set("spark.rapids.sql.enabled", subject.equals(RAPIDS));
    session.read().parquet(file(arrival, rows)).createOrReplaceTempView("cells");
    String sql = "select *, %s as m from cells".formatted(window);
    return session.sql(where == null ? sql : "select * from (%s) where %s".formatted(sql, where));
  }

  private void measure(String over, String arrival, String name, String window) {
    Map<String, List<Double>> seconds = measure(arrival, window, repeats);
    String against = subjects.get(0);
    long expected = digest(against, arrival, window);
    double theirs = rowsOf(against) / Quantiles.median(seconds.get(against));
    for (String subject : subjects) {
      List<Double> measured = seconds.get(subject);
      double rate = rowsOf(subject) / Quantiles.median(measured);
      add(
          BenchmarkRow.of(
              "running/%s/%s/%s/%d".formatted(name, over, arrival, rows),
              subject,
              against,
              measured,
              "s",
              rate / theirs,
              subject.equals(against) || digest(subject, arrival, window) == expected,
              "%s, %d series, %s, %s%.1f M rows/s, %s%s"
                  .formatted(
                      master,
                      series,
                      timestamps,
                      rowsOf(subject) == rows ? "" : rowsOf(subject) + " rows, ",
                      rate / 1e6,
                      window,
                      where == null ? "" : " where " + where)));
    }
  }

  private Map<String, List<Double>> measure(String arrival, String window, int turns) {
    return Turns.measure(
        subjects,
        0,
        subject -> turns,
        subject -> LocalSpark.seconds(query(subject, rowsOf(subject), arrival, window)));
  }

  /** Returns a digest of all results, over the rows that Spark's operator is measured with. */
  private long digest(String subject, String arrival, String window) {
    return LocalSpark.digest(
        query(subject, rowsOf(SPARK), arrival, window), "series, at, since, l, v, m");
  }
}
