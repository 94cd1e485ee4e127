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

/** Ranks and running totals of series in Parquet, Spark's operator against ours in one process. */
@Command(name = "running", description = "Ranks and running totals of series, against Spark's own.")
public final class RunningBenchmark extends BenchmarkCommand {
  private static final String SPARK = "spark";
  private static final List<String> SUBJECTS = List.of(SPARK, "sql");

  @Option(names = "--data", required = true, description = "The folder for the tables.")
  private Path data;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--rows", defaultValue = "8000000", description = "Rows of the table.")
  private long rows;

  @Option(names = "--series", defaultValue = "1024", description = "Series, whose rows take turns.")
  private int series;

  @Option(names = "--files", defaultValue = "16", description = "Files of the table.")
  private int files;

  @Option(names = "--repeats", defaultValue = "3", description = "Turns, after one that warms up.")
  private int repeats;

  @Option(
      names = "--arrivals",
      split = ",",
      defaultValue = "feed,random",
      description = "How rows come: feed, by time; random.")
  private List<String> arrivals;

  @Option(names = "--window", description = "Windows as NAME=SQL; some of each kind if not given.")
  private Map<String, String> windows = new LinkedHashMap<>();

  private SparkSession plain;
  private SparkSession extended;

  @Override
  protected void measure() {
    if (windows.isEmpty()) {
      String by = " over (partition by series order by t)";
      windows.put("sum-long", "sum(l)" + by);
      windows.put("sum-double", "sum(v)" + by);
      windows.put("row-number", "row_number()" + by);
      windows.put("rank", "rank()" + by);
      windows.put("whole-avg", "avg(v) over (partition by series)");
    }
    plain = session().getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    extended = session().withExtensions(new StencilExtensions()).getOrCreate();
    write();
    for (String arrival : arrivals) {
      windows.values().stream().limit(1).forEach(window -> measure(arrival, window, 1));
      windows.forEach((name, window) -> measure(arrival, name, window));
    }
    plain.stop();
  }

  private SparkSession.Builder session() {
    return LocalSpark.session("running-benchmark", master);
  }

  private String file(String name) {
    return data.resolve("running-%s-%d-%d".formatted(name, rows, series)).toString();
  }

  /** Writes what is measured, unless it is there. */
  private void write() {
    LocalSpark.writeOnce(
        file("feed"),
        plain
            .range(0, rows, 1, files)
            .select(
                expr("cast(id %% %d as int)".formatted(series)).as("series"),
                col("id").multiply(10).as("t"),
                expr("xxhash64(id) >> 30").as("l"),
                rand(7).multiply(100).as("v")));
    if (arrivals.contains("random")) {
      LocalSpark.writeOnce(
          file("random"),
          plain.read().parquet(file("feed")).orderBy(xxhash64(col("t"))).coalesce(files));
    }
  }

  private Dataset<Row> query(String subject, String arrival, String window) {
    SparkSession session = subject.equals(SPARK) ? plain : extended;
    session.conf().set("spark.stencil.sql.enabled", session == extended);
    session.read().parquet(file(arrival)).createOrReplaceTempView("cells");
    return session.sql("select *, %s as m from cells".formatted(window));
  }

  private void measure(String arrival, String name, String window) {
    Map<String, List<Double>> seconds = measure(arrival, window, repeats);
    long expected = digest(query(SPARK, arrival, window));
    double theirs = Quantiles.median(seconds.get(SPARK));
    for (String subject : SUBJECTS) {
      List<Double> measured = seconds.get(subject);
      boolean equal = subject.equals(SPARK) || digest(query(subject, arrival, window)) == expected;
      double median = Quantiles.median(measured);
      add(
          BenchmarkRow.of(
              "running/%s/%s/%d/series=%d".formatted(name, arrival, rows, series),
              subject,
              SPARK,
              measured,
              "s",
              theirs / median,
              equal,
              "%s, %.1f M rows/s, %s".formatted(master, rows / median / 1e6, window)));
    }
  }

  private Map<String, List<Double>> measure(String arrival, String window, int turns) {
    return Turns.measure(
        SUBJECTS,
        0,
        subject -> turns,
        subject -> LocalSpark.seconds(query(subject, arrival, window)));
  }

  private static long digest(Dataset<Row> query) {
    return LocalSpark.digest(query, "series, t, l, v, m");
  }
}
