/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.cpu;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs {@link CpuEngineBenchmark} and writes its results as suite {@code cpu}, or, with every
 * radius of the sliding operations, as suite {@code cpu-radii}.
 */
@Command(name = "cpu", description = "The CPU engine on one thread, against a copy; by JMH.")
public final class CpuEngineSuite extends BenchmarkCommand {
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

  private static final List<RadiusSweep> SWEEPS =
      List.of(
          new RadiusSweep("mean/exact", true, EXACT_RADII),
          new RadiusSweep("mean/fast", true, FAST_RADII),
          new RadiusSweep("min/exact", true, EXTREMUM_RADII),
          new RadiusSweep("max/exact", true, EXTREMUM_RADII),
          new RadiusSweep("mean/exact", false, LOOP_RADII),
          new RadiusSweep("mean/fast", false, LOOP_RADII),
          new RadiusSweep("min/exact", false, LOOP_RADII));

  private static final int MOST_RADIUS = 256;

  private static final List<String> SLIDING = List.of("mean/fast", "min/exact", "max/exact");

  private record RadiusSweep(String operation, boolean vectors, List<String> radii) {}

  @Option(names = "--operations", split = ",", description = "Such as mean/fast; all unless given.")
  private Set<String> operations = Set.of();

  @Option(
      names = "--every-radius",
      description = "Measure sliding operations at every radius up to 256, as suite cpu-radii.")
  private boolean everyRadius;

  @Override
  protected String suite() {
    return everyRadius ? "cpu-radii" : super.suite();
  }

  @Override
  protected void measure() throws RunnerException {
    Set<String> known = SWEEPS.stream().map(RadiusSweep::operation).collect(Collectors.toSet());
    if (!known.containsAll(operations)) {
      throw new IllegalArgumentException(
          "known operations are %s, not all of %s".formatted(known, operations));
    }
    for (RadiusSweep work : everyRadius ? everyRadius() : SWEEPS) {
      if (operations.isEmpty() || operations.contains(work.operation)) {
        measure(work, everyRadius);
      }
    }
  }

  private static List<RadiusSweep> everyRadius() {
    List<String> radii = IntStream.rangeClosed(1, MOST_RADIUS).mapToObj(Integer::toString).toList();
    return SLIDING.stream().map(operation -> new RadiusSweep(operation, true, radii)).toList();
  }

  /** Every radius has a JVM of its own, a short one where there are many. */
  private void measure(RadiusSweep work, boolean brief) throws RunnerException {
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
    new Runner(options.build())
        .run().stream()
            .sorted(Comparator.comparingInt(r -> Integer.parseInt(r.getParams().getParam("k"))))
            .forEach(result -> add(row(result)));
  }

  /** The ratio is the median of those of iterations, each with its own copies. */
  private static BenchmarkRow row(RunResult result) {
    List<IterationResult> iterations =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .toList();
    List<Double> times = iterations.stream().map(i -> i.getPrimaryResult().getScore()).toList();
    List<Double> ratios = iterations.stream().map(CpuEngineSuite::ratio).toList();
    BenchmarkParams work = result.getParams();
    return BenchmarkRow.of(
        "cpu/%s/f32/k=%s".formatted(work.getParam("operation"), work.getParam("k")),
        Boolean.parseBoolean(work.getParam("vectors")) ? "cpu, vectors" : "cpu, plain loops",
        "System.arraycopy",
        times,
        "ms",
        Quantiles.median(ratios),
        true,
        "");
  }

  private static double ratio(IterationResult iteration) {
    double copyNanos = iteration.getSecondaryResults().get("nanos").getScore();
    double copies = iteration.getSecondaryResults().get("count").getScore();
    return copyNanos / copies * 1e-6 / iteration.getPrimaryResult().getScore();
  }
}
