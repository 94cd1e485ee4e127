/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.rand;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A moving mean over one long series, Parquet in, against Spark's own window over the same file:
 * rows in random order, which must be sorted, and rows in order.
 *
 * <pre>WindowBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER [ROWS [REPEATS [K..]]]</pre>
 */
public final class WindowBenchmark {
  private final SparkSession spark;
  private final Path data;
  private final long rows;
  private final int repeats;

  private WindowBenchmark(SparkSession spark, Path data, long rows, int repeats) {
    this.spark = spark;
    this.data = data;
    this.rows = rows;
    this.repeats = repeats;
  }

  /** Measures and writes results. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 4) {
      System.err.println(
          "usage: WindowBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER [ROWS [REPEATS [K..]]]");
      System.exit(2);
    }
    long rows = arguments.length > 4 ? Long.parseLong(arguments[4]) : 8_000_000L;
    int repeats = arguments.length > 5 ? Integer.parseInt(arguments[5]) : 5;
    int[] radii =
        arguments.length > 6
            ? Arrays.stream(arguments).skip(6).mapToInt(Integer::parseInt).toArray()
            : new int[] {8, 50};
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("window-benchmark")
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "ERROR")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.stencil.sql.enabled", "false") // what is compared with is Spark's own
            .getOrCreate();
    WindowBenchmark benchmark = new WindowBenchmark(spark, Path.of(arguments[3]), rows, repeats);
    benchmark.write();
    List<BenchmarkRow> measured = new ArrayList<>();
    for (int radius : radii) {
      measured.addAll(benchmark.measure(radius));
    }
    spark.stop();
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1], "", ""),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            measured);
    Path json = results.write(Path.of(arguments[0]), "foundation");
    System.out.println(BenchmarkResults.read(json).markdown("foundation"));
  }

  private String file(String name) {
    return data.resolve(name + "-" + rows).toString();
  }

  /** Writes the series in order and in random order, unless it is there. */
  private void write() {
    if (!Files.exists(Path.of(file("ordered"), "_SUCCESS"))) {
      spark
          .range(0, rows, 1, 4)
          .select(col("id").multiply(10).as("t"), rand(7).multiply(100).as("v"))
          .write()
          .mode("overwrite")
          .parquet(file("ordered"));
    }
    if (!Files.exists(Path.of(file("shuffled"), "_SUCCESS"))) {
      spark
          .read()
          .parquet(file("ordered"))
          .orderBy(xxhash64(col("t")))
          .coalesce(4)
          .write()
          .mode("overwrite")
          .parquet(file("shuffled"));
    }
  }

  private Dataset<Row> sparks(String name, int radius) {
    Dataset<Row> input = spark.read().parquet(file(name));
    input.createOrReplaceTempView(name);
    return spark.sql(
        "select t, v, avg(v) over (order by t rows between %d preceding and %d following) m from %s"
            .formatted(radius, radius, name));
  }

  private Dataset<Row> ours(String name, int radius, boolean ordered) {
    StencilQuery query =
        Stencils.over(spark.read().parquet(file(name))).orderBy("t").mean("v", radius, "m");
    return (ordered ? query.ordered() : query).toDataset();
  }

  private List<BenchmarkRow> measure(int radius) {
    Map<String, Supplier<Dataset<Row>>> subjects = new LinkedHashMap<>();
    subjects.put("spark sort", () -> sparks("shuffled", radius));
    subjects.put("ours sort", () -> ours("shuffled", radius, false));
    subjects.put("spark ordered", () -> sparks("ordered", radius));
    subjects.put("ours ordered", () -> ours("ordered", radius, true));
    Map<String, double[]> seconds = new LinkedHashMap<>();
    subjects.forEach(
        (name, subject) -> {
          seconds.put(name, new double[repeats]);
          seconds(subject.get()); // warms up
        });
    for (int i = 0; i < repeats; i++) {
      for (Map.Entry<String, Supplier<Dataset<Row>>> subject : subjects.entrySet()) {
        seconds.get(subject.getKey())[i] = seconds(subject.getValue().get());
      }
    }
    long expected = digest(sparks("shuffled", radius));
    boolean sortChecked = digest(ours("shuffled", radius, false)) == expected;
    boolean orderedChecked = digest(ours("ordered", radius, true)) == expected;
    return List.of(
        row("sort", radius, "spark window", seconds, "spark sort", "spark sort", true),
        row("sort", radius, "stencil", seconds, "ours sort", "spark sort", sortChecked),
        row("ordered", radius, "spark window", seconds, "spark ordered", "spark ordered", true),
        row(
            "ordered",
            radius,
            "stencil",
            seconds,
            "ours ordered",
            "spark ordered",
            orderedChecked));
  }

  private BenchmarkRow row(
      String input,
      int radius,
      String subject,
      Map<String, double[]> seconds,
      String ours,
      String theirs,
      boolean checked) {
    double median = quantile(seconds.get(ours), 0.5);
    double spread = (quantile(seconds.get(ours), 0.9) - quantile(seconds.get(ours), 0.1)) / median;
    return new BenchmarkRow(
        "window/mean/exact/f64/%s/rows=%d/k=%d".formatted(input, rows, radius),
        subject,
        "spark window",
        median,
        "s",
        quantile(seconds.get(theirs), 0.5) / median,
        spread,
        repeats,
        checked,
        "local[2], Parquet of (t bigint, v double), no PARTITION BY");
  }

  private static double seconds(Dataset<Row> query) {
    long start = System.nanoTime();
    query.write().format("noop").mode("overwrite").save();
    return (System.nanoTime() - start) / 1e9;
  }

  private static long digest(Dataset<Row> query) {
    return query.selectExpr("bit_xor(xxhash64(t, v, m))").first().getLong(0);
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
