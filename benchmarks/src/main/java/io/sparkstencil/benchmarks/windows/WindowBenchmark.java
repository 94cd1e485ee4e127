/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import io.sparkstencil.benchmarks.results.Quantiles;
import java.io.IOException;
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
  private static final int FILES = 4;

  private final WindowData data;
  private final int repeats;

  private WindowBenchmark(WindowData data, int repeats) {
    this.data = data;
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
    SparkSession spark = WindowData.session("window-benchmark");
    WindowData data = new WindowData(spark, Path.of(arguments[3]), rows, FILES);
    data.write();
    WindowBenchmark benchmark = new WindowBenchmark(data, repeats);
    List<BenchmarkRow> measured = new ArrayList<>();
    for (int radius : radii) {
      measured.addAll(benchmark.measure(radius));
    }
    spark.stop();
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            measured);
    Path json = results.write(Path.of(arguments[0]), "foundation");
    System.out.println(BenchmarkResults.read(json).markdown("foundation"));
  }

  private List<BenchmarkRow> measure(int radius) {
    Map<String, Supplier<Dataset<Row>>> subjects = new LinkedHashMap<>();
    subjects.put("spark sort", () -> data.sparks(WindowData.SHUFFLED, radius));
    subjects.put("ours sort", () -> data.ours(WindowData.SHUFFLED, radius));
    subjects.put("spark ordered", () -> data.sparks(WindowData.ORDERED, radius));
    subjects.put("ours ordered", () -> data.ours(WindowData.ORDERED, radius));
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
    long expected = WindowData.digest(data.sparks(WindowData.SHUFFLED, radius));
    boolean sortChecked = WindowData.digest(data.ours(WindowData.SHUFFLED, radius)) == expected;
    boolean orderedChecked = WindowData.digest(data.ours(WindowData.ORDERED, radius)) == expected;
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
    double median = Quantiles.median(seconds.get(ours));
    return new BenchmarkRow(
        "window/mean/exact/f64/%s/rows=%d/k=%d".formatted(input, data.rows(), radius),
        subject,
        "spark window",
        median,
        "s",
        Quantiles.median(seconds.get(theirs)) / median,
        Quantiles.spread(seconds.get(ours)),
        repeats,
        checked,
        "local[2], Parquet of (t bigint, v double), no PARTITION BY");
  }

  private static double seconds(Dataset<Row> query) {
    long start = System.nanoTime();
    query.write().format("noop").mode("overwrite").save();
    return (System.nanoTime() - start) / 1e9;
  }
}
