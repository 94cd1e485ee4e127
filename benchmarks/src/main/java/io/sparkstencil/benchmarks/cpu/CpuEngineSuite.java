/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.cpu;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import io.sparkstencil.benchmarks.results.Quantiles;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs {@link CpuEngineBenchmark} and writes its results as suite {@code cpu}, or, with every
 * radius of the sliding operations, as suite {@code cpu-radii}.
 */
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

  private static final int MOST_RADIUS = 256;

  private static final String AGAIN = "again-below=";

  private static final List<String> SLIDING = List.of("mean-fast", "min-exact", "max-exact");

  private record Work(String operation, boolean vectors, List<String> radii) {}

  private CpuEngineSuite() {}

  /**
   * Arguments: folder of results, name of this machine, commit; then operations unless all, or
   * {@code every-radius}, or {@code again-below=RATIO}, which gives radii with lower ratios another
   * trial and notes what the one before had.
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 3) {
      System.err.println(
          "usage: CpuEngineSuite RESULTS_FOLDER MACHINE_NAME COMMIT"
              + " [every-radius | again-below=RATIO | OPERATION...]");
      System.exit(2);
    }
    List<String> chosen = List.of(arguments).subList(3, arguments.length);
    boolean again = chosen.size() == 1 && chosen.get(0).startsWith(AGAIN);
    boolean radii = again || chosen.equals(List.of("every-radius"));
    Set<String> known = WORK.stream().map(Work::operation).collect(Collectors.toSet());
    if (!radii && !known.containsAll(chosen)) {
      System.err.println("known operations are " + known + ", not all of " + chosen);
      System.exit(2);
    }
    Path folder = Path.of(arguments[0]);
    String suite = radii ? "cpu-radii" : "cpu";
    List<BenchmarkRow> rows = new ArrayList<>();
    if (again) {
      double least = Double.parseDouble(chosen.get(0).substring(AGAIN.length()));
      Path first = folder.resolve(arguments[1]).resolve(suite + ".json");
      rows.addAll(again(BenchmarkResults.read(first).rows(), least));
    } else {
      for (Work work : radii ? everyRadius() : WORK) {
        if (radii || chosen.isEmpty() || chosen.contains(work.operation)) {
          add(rows, measure(work, radii));
        }
      }
    }
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            rows);
    Path json = results.write(folder, suite);
    RatioChart.write(
        BenchmarkResults.read(json),
        "CPU engine, one thread, 2^24 floats",
        json.resolveSibling(suite + ".png"));
    System.out.println(BenchmarkResults.read(json).markdown(suite));
  }

  private static List<Work> everyRadius() {
    List<String> radii = IntStream.rangeClosed(1, MOST_RADIUS).mapToObj(Integer::toString).toList();
    return SLIDING.stream().map(operation -> new Work(operation, true, radii)).toList();
  }

  /** Measures radii whose ratio was below {@code least}. */
  private static List<BenchmarkRow> again(List<BenchmarkRow> rows, double least)
      throws RunnerException {
    List<BenchmarkRow> second = new ArrayList<>();
    for (BenchmarkRow first : rows) {
      if (first.ratio() < least) {
        String[] name = first.name().split("/"); // cpu/mean/fast/f32/k=8
        Work work = new Work(name[1] + "-" + name[2], true, List.of(name[4].substring(2)));
        List<BenchmarkRow> measured = new ArrayList<>();
        add(measured, measure(work, true));
        String note = "%.3f in another trial".formatted(first.ratio());
        measured.forEach(row -> second.add(row.noted(first.noteButCommit()).noted(note)));
      }
    }
    return second;
  }

  /** Every radius has a JVM of its own, a short one where there are many. */
  private static Collection<RunResult> measure(Work work, boolean brief) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(CpuEngineBenchmark.class.getName())
            .param("operation", work.operation)
            .param("vectors", Boolean.toString(work.vectors))
            .param("k", work.radii.toArray(String[]::new))
            .shouldFailOnError(true);
    if (brief) {
      options.warmupIterations(3).warmupTime(TimeValue.milliseconds(150));
      options.measurementIterations(7).measurementTime(TimeValue.milliseconds(100));
    }
    return new Runner(options.build()).run();
  }

  private static void add(List<BenchmarkRow> rows, Collection<RunResult> results) {
    results.stream()
        .sorted(Comparator.comparingInt(r -> Integer.parseInt(r.getParams().getParam("k"))))
        .forEach(result -> rows.add(row(result)));
  }

  /** The ratio is the median of those of iterations, each with its own copies. */
  private static BenchmarkRow row(RunResult result) {
    List<IterationResult> iterations =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .toList();
    double[] times =
        iterations.stream().mapToDouble(i -> i.getPrimaryResult().getScore()).toArray();
    double[] ratios = iterations.stream().mapToDouble(CpuEngineSuite::ratio).toArray();
    double value = Quantiles.median(times);
    String operation = result.getParams().getParam("operation").replace('-', '/');
    boolean vectors = Boolean.parseBoolean(result.getParams().getParam("vectors"));
    return new BenchmarkRow(
        "cpu/%s/f32/k=%s".formatted(operation, result.getParams().getParam("k")),
        vectors ? "cpu, vectors" : "cpu, plain loops",
        "System.arraycopy",
        value,
        "ms",
        Quantiles.median(ratios),
        Quantiles.spread(times),
        times.length,
        true,
        "");
  }

  private static double ratio(IterationResult iteration) {
    double copyNanos = iteration.getSecondaryResults().get("nanos").getScore();
    double copies = iteration.getSecondaryResults().get("count").getScore();
    return copyNanos / copies * 1e-6 / iteration.getPrimaryResult().getScore();
  }
}
