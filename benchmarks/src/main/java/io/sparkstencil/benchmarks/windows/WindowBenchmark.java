/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A moving mean over one long series, Parquet in, against Spark's own window over the same file:
 * rows in random order, which must be sorted, and rows in order.
 */
@Command(
    name = "foundation",
    description = "A mean over one long series in Parquet, against Spark's own window.")
public final class WindowBenchmark extends BenchmarkCommand {
  private static final int FILES = 4;
  private static final String SPARK = "spark window";

  @Option(names = "--data", required = true, description = "The folder for the series.")
  private Path data;

  @Option(names = "--rows", defaultValue = "8000000", description = "Rows of the series.")
  private long rows;

  @Option(names = "--repeats", defaultValue = "5", description = "Turns, after a warm-up.")
  private int repeats;

  @Option(names = "--radii", split = ",", defaultValue = "8,50", description = "Radii.")
  private List<Integer> radii;

  @Override
  protected void measure() throws IOException {
    try (SparkSession spark = WindowData.session("window-benchmark")) {
      WindowData series = new WindowData(spark, data, rows, FILES);
      series.write();
      radii.forEach(radius -> measure(series, radius));
    }
  }

  private void measure(WindowData series, int radius) {
    Map<String, Supplier<Dataset<Row>>> subjects = new LinkedHashMap<>();
    subjects.put("spark sort", () -> series.sparks(WindowData.SHUFFLED, radius));
    subjects.put("ours sort", () -> series.ours(WindowData.SHUFFLED, radius));
    subjects.put("spark ordered", () -> series.sparks(WindowData.ORDERED, radius));
    subjects.put("ours ordered", () -> series.ours(WindowData.ORDERED, radius));
    Map<String, List<Double>> seconds =
        Turns.measure(
            subjects.keySet(),
            1,
            subject -> repeats,
            subject -> LocalSpark.seconds(subjects.get(subject).get()));
    long expected = WindowData.digest(series.sparks(WindowData.SHUFFLED, radius));
    for (String input : List.of("sort", WindowData.ORDERED)) {
      String name = "window/mean/exact/f64/%s/rows=%d/k=%d".formatted(input, rows, radius);
      List<Double> sparks = seconds.get("spark " + input);
      String ours = "ours " + input;
      add(row(name, SPARK, sparks, sparks, true));
      boolean checked = WindowData.digest(subjects.get(ours).get()) == expected;
      add(row(name, "stencil", seconds.get(ours), sparks, checked));
    }
  }

  private static BenchmarkRow row(
      String name, String subject, List<Double> ours, List<Double> sparks, boolean checked) {
    return BenchmarkRow.of(
        name,
        subject,
        SPARK,
        ours,
        "s",
        Quantiles.median(sparks) / Quantiles.median(ours),
        checked,
        "local[2], Parquet of (t bigint, v double), no PARTITION BY");
  }
}
