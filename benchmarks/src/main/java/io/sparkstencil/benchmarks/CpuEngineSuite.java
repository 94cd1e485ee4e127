/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/** Runs {@link CpuEngineBenchmark} and writes its results as suite {@code cpu}. */
public final class CpuEngineSuite {
  private static final String[] EXACT_RADII = {"1", "8", "32"};
  private static final String[] RADII = {
    "1", "2", "4", "8", "12", "16", "25", "32", "64", "128", "256"
  };

  private CpuEngineSuite() {}

  /** Arguments: folder of results, name of this machine, commit. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 3) {
      System.err.println("usage: CpuEngineSuite RESULTS_FOLDER MACHINE_NAME COMMIT");
      System.exit(2);
    }
    double copyMillis =
        median(measure("copy", true, "1").iterator().next().getPrimaryResult().getStatistics());
    List<BenchmarkRow> rows = new ArrayList<>();
    add(rows, measure("mean-exact", true, EXACT_RADII), copyMillis);
    add(rows, measure("mean-fast", true, RADII), copyMillis);
    add(rows, measure("min-exact", true, RADII), copyMillis);
    add(rows, measure("max-exact", true, RADII), copyMillis);
    for (String operation : List.of("mean-exact", "mean-fast", "min-exact")) {
      add(rows, measure(operation, false, "8", "32"), copyMillis);
    }
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(java.time.ZoneOffset.UTC).toString(),
            rows);
    Path json = results.write(Path.of(arguments[0]), "cpu");
    RatioChart.write(
        BenchmarkResults.read(json),
        "CPU engine, one thread, 2^24 floats",
        json.resolveSibling("cpu.png"));
    System.out.println(BenchmarkResults.read(json).markdown("cpu"));
  }

  private static Collection<RunResult> measure(String operation, boolean vectors, String... radii)
      throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(CpuEngineBenchmark.class.getName())
                .param("operation", operation)
                .param("vectors", Boolean.toString(vectors))
                .param("k", radii)
                .shouldFailOnError(true)
                .build())
        .run();
  }

  private static double median(Statistics statistics) {
    return statistics.getPercentile(50);
  }

  private static void add(
      List<BenchmarkRow> rows, Collection<RunResult> results, double copyMillis) {
    results.stream()
        .sorted(Comparator.comparingInt(r -> Integer.parseInt(r.getParams().getParam("k"))))
        .forEach(result -> rows.add(row(result, copyMillis)));
  }

  private static BenchmarkRow row(RunResult result, double copyMillis) {
    Statistics statistics = result.getPrimaryResult().getStatistics();
    double value = median(statistics);
    String operation = result.getParams().getParam("operation").replace('-', '/');
    boolean vectors = Boolean.parseBoolean(result.getParams().getParam("vectors"));
    return new BenchmarkRow(
        "cpu/%s/f32/k=%s".formatted(operation, result.getParams().getParam("k")),
        vectors ? "cpu, vectors" : "cpu, plain loops",
        "System.arraycopy",
        value,
        "ms",
        copyMillis / value,
        (statistics.getPercentile(90) - statistics.getPercentile(10)) / value,
        (int) statistics.getN(),
        true,
        "");
  }
}
