/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.rand;
import static org.apache.spark.sql.functions.xxhash64;

import com.sun.management.OperatingSystemMXBean;
import io.sparkstencil.spark.StencilExtensions;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * SQL windows over Parquet, Spark's operator against ours in one process, and in processes of their
 * own whatever a plugin makes of them.
 *
 * <pre>SqlBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER [KEY=VALUE..]</pre>
 *
 * <p>Keys: {@code master}, {@code rows}, {@code series}, {@code repeats}, {@code k} (radii, by
 * commas), {@code work} (of partitioned, shuffled, unpartitioned, ordered), {@code subjects} (of
 * spark, rapids, sql, cpu, gpu, api), {@code function}, {@code gpu} and {@code driver} (names for
 * the table). Subject sql is the unchanged query with our extensions and the engine that they
 * choose; cpu and gpu name the engine; api is the same window by our Dataset API.
 */
public final class SqlBenchmark {
  private final SparkSession plain;
  private final SparkSession extended;
  private final Path data;
  private final Map<String, String> options;
  private final long rows;
  private final int series;

  private SqlBenchmark(
      SparkSession plain, SparkSession extended, Path data, Map<String, String> options) {
    this.plain = plain;
    this.extended = extended;
    this.data = data;
    this.options = options;
    this.rows = Long.parseLong(option("rows", "8000000"));
    this.series = Integer.parseInt(option("series", "256"));
  }

  private String option(String key, String otherwise) {
    return options.getOrDefault(key, otherwise);
  }

  /** Measures and writes results. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 4) {
      System.err.println(
          "usage: SqlBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER [KEY=VALUE..]");
      System.exit(2);
    }
    Map<String, String> options = new HashMap<>();
    for (String argument : Arrays.asList(arguments).subList(4, arguments.length)) {
      options.put(
          argument.substring(0, argument.indexOf('=')),
          argument.substring(argument.indexOf('=') + 1));
    }
    SparkSession plain = session(options).getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    SparkSession extended = session(options).withExtensions(new StencilExtensions()).getOrCreate();
    SqlBenchmark benchmark = new SqlBenchmark(plain, extended, Path.of(arguments[3]), options);
    benchmark.write();
    List<BenchmarkRow> measured = new ArrayList<>();
    for (String work : benchmark.option("work", "partitioned,unpartitioned,ordered").split(",")) {
      for (String radius : benchmark.option("k", "8,32").split(",")) {
        measured.addAll(benchmark.measure(work, Integer.parseInt(radius)));
      }
    }
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(
                arguments[1], benchmark.option("gpu", ""), benchmark.option("driver", "")),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            measured);
    Path json = results.write(Path.of(arguments[0]), "sql");
    System.out.println(BenchmarkResults.read(json).markdown("sql"));
    plain.stop();
  }

  private static SparkSession.Builder session(Map<String, String> options) {
    return SparkSession.builder()
        .master(options.getOrDefault("master", "local[2]"))
        .appName("sql-benchmark")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.adaptive.enabled", options.getOrDefault("adaptive", "true"));
  }

  private String file(String name) {
    return data.resolve("%s-%d-%d".formatted(name, rows, name.equals("feed") ? series : 0))
        .toString();
  }

  /** Writes what is measured, unless it is there. */
  private void write() {
    int files = Integer.parseInt(option("files", "16"));
    Dataset<Row> range = plain.range(0, rows, 1, files).toDF();
    writeOnce(
        "feed",
        range.select(
            expr("cast(id %% %d as int)".formatted(series)).as("series"),
            col("id").multiply(10).as("t"),
            rand(7).multiply(100).as("v")));
    if (option("work", "shuffled,unpartitioned").matches(".*(shuffled|unpartitioned).*")) {
      writeOnce(
          "random", plain.read().parquet(file("feed")).orderBy(xxhash64(col("t"))).coalesce(files));
    }
  }

  private void writeOnce(String name, Dataset<Row> table) {
    if (!Files.exists(Path.of(file(name), "_SUCCESS"))) {
      table.write().mode("overwrite").parquet(file(name));
    }
  }

  private Dataset<Row> query(String work, String subject, int radius) {
    boolean ours = List.of("sql", "cpu", "gpu").contains(subject);
    SparkSession session = ours || subject.equals("api") ? extended : plain;
    session.conf().set("spark.stencil.sql.enabled", session == extended);
    session.conf().set("spark.stencil.engine", ours && !subject.equals("sql") ? subject : "auto");
    String name = work.equals("partitioned") || work.equals("ordered") ? "feed" : "random";
    Dataset<Row> input = session.read().parquet(file(name));
    boolean keys = work.equals("partitioned") || work.equals("shuffled");
    if (subject.equals("api") || (ours && work.equals("ordered"))) {
      StencilQuery query = Stencils.over(input).orderBy("t");
      query = keys ? query.partitionBy("series") : query;
      query = work.equals("ordered") ? query.ordered() : query;
      return (subject.equals("api")
              ? query
              : query.engine(subject.equals("sql") ? "auto" : subject))
          .mean("v", radius, "m")
          .toDataset();
    }
    input.createOrReplaceTempView("cells");
    return session.sql(
        "select *, %s(v) over (%s order by t rows between %d preceding and %d following) m from cells"
            .formatted(
                option("function", "avg"), keys ? "partition by series" : "", radius, radius));
  }

  private List<BenchmarkRow> measure(String work, int radius) {
    String[] subjects = option("subjects", "spark,sql").split(",");
    int repeats = Integer.parseInt(option("repeats", "3"));
    Map<String, double[]> seconds = new LinkedHashMap<>();
    for (String subject : subjects) {
      // A peer that takes a minute is measured once, warmed by what ran before.
      boolean slow = subject.equals("spark") && radius > 100;
      seconds.put(subject, new double[slow ? 1 : repeats]);
      if (!slow) {
        seconds(query(work, subject, radius));
      }
    }
    for (int i = 0; i < repeats; i++) {
      for (String subject : subjects) {
        if (i < seconds.get(subject).length) {
          long before = cpuNanos();
          seconds.get(subject)[i] = seconds(query(work, subject, radius));
          System.out.printf(
              "%s k=%d %s: %.3f s, %.3f s of CPU%n",
              work, radius, subject, seconds.get(subject)[i], (cpuNanos() - before) / 1e9);
        }
      }
    }
    List<BenchmarkRow> measured = new ArrayList<>();
    long expected = digest(query(work, subjects[0], radius));
    for (String subject : subjects) {
      boolean checked =
          !subject.equals(subjects[0]) && digest(query(work, subject, radius)) == expected;
      measured.add(row(work, radius, subject, seconds, subjects[0], checked));
    }
    return measured;
  }

  private BenchmarkRow row(
      String work,
      int radius,
      String subject,
      Map<String, double[]> seconds,
      String against,
      boolean checked) {
    double[] ours = seconds.get(subject);
    double median = quantile(ours, 0.5);
    return new BenchmarkRow(
        "sql/%s/%s/%d/k=%d".formatted(option("function", "avg"), work, rows, radius),
        subject,
        against,
        median,
        "s",
        quantile(seconds.get(against), 0.5) / median,
        (quantile(ours, 0.9) - quantile(ours, 0.1)) / median,
        ours.length,
        checked,
        "%s, %.1f M rows/s".formatted(option("master", "local[2]"), rows / median / 1e6));
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double seconds(Dataset<Row> query) {
    long start = System.nanoTime();
    query.write().format("noop").mode("overwrite").save();
    return (System.nanoTime() - start) / 1e9;
  }

  private static long digest(Dataset<Row> query) {
    return query.selectExpr("bit_xor(xxhash64(series, t, v, m))").first().getLong(0);
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
