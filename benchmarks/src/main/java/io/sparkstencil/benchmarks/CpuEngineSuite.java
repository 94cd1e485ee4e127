/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
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
  private static final List<String> EXACT_RADII = List.of("1", "8", "32");
  private static final List<String> LOOP_RADII = List.of("8", "32");

  /** Radii of each kind of pass, and the slowest seen of each. */
  private static final List<String> EXTREMUM_RADII =
      List.of(
          "1", "2", "4", "8", "12", "16", "25", "32", "40", "64", "127", "128", "191", "207", "247",
          "255", "256");

  private static final List<String> FAST_RADII =
      List.of(
          "1", "2", "4", "7", "8", "9", "12", "15", "16", "25", "29", "32", "47", "57", "63", "64",
          "95", "127", "128", "191", "231", "247", "255", "256");

  private static final List<Work> WORK =
      List.of(
          new Work("mean-exact", true, EXACT_RADII),
          new Work("mean-fast", true, FAST_RADII),
          new Work("min-exact", true, EXTREMUM_RADII),
          new Work("max-exact", true, EXTREMUM_RADII),
          new Work("mean-exact", false, LOOP_RADII),
          new Work("mean-fast", false, LOOP_RADII),
          new Work("min-exact", false, LOOP_RADII));

  private record Work(String operation, boolean vectors, List<String> radii) {}

  private CpuEngineSuite() {}

  /** Arguments: folder of results, name of this machine, commit; operations unless all. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 3) {
      System.err.println("usage: CpuEngineSuite RESULTS_FOLDER MACHINE_NAME COMMIT [OPERATION...]");
      System.exit(2);
    }
    List<String> chosen = List.of(arguments).subList(3, arguments.length);
    double copyMillis =
        median(
            measure("copy", true, List.of("1"))
                .iterator()
                .next()
                .getPrimaryResult()
                .getStatistics());
    List<BenchmarkRow> rows = new ArrayList<>();
    for (Work work : WORK) {
      if (chosen.isEmpty() || chosen.contains(work.operation)) {
        add(rows, measure(work.operation, work.vectors, work.radii), copyMillis);
      }
    }
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            rows);
    Path json = results.write(Path.of(arguments[0]), "cpu");
    RatioChart.write(
        BenchmarkResults.read(json),
        "CPU engine, one thread, 2^24 floats",
        json.resolveSibling("cpu.png"));
    System.out.println(BenchmarkResults.read(json).markdown("cpu"));
  }

  private static Collection<RunResult> measure(
      String operation, boolean vectors, List<String> radii) throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include(CpuEngineBenchmark.class.getName())
                .param("operation", operation)
                .param("vectors", Boolean.toString(vectors))
                .param("k", radii.toArray(String[]::new))
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
