/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs small jobs, and grids, with injected faults and writes how memory has grown from the end of
 * the fifth part of them to the end of all.
 */
@Command(name = "soak", description = "Jobs and grids with injected faults: how memory grows.")
public final class SoakBenchmark extends BenchmarkCommand {
  @Option(names = "--engine", defaultValue = "cpu", description = "The engine below the faults.")
  private String engine;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--applications", defaultValue = "20", description = "One after the other.")
  private int applications;

  @Option(names = "--jobs", defaultValue = "100", description = "Jobs of each application.")
  private int jobs;

  @Option(names = "--grids", defaultValue = "20", description = "Grids, after the applications.")
  private int grids;

  @Option(names = "--supersteps", defaultValue = "500", description = "Supersteps of each grid.")
  private int supersteps;

  @Override
  protected void measure() throws Exception {
    if (applications > 0) {
      addAll("jobs", new Soak(engine, master, 7).run(applications, jobs));
    }
    if (grids > 0) {
      addAll("grids", new GridSoak(engine, master, 7).run(grids, supersteps));
    }
  }

  private void addAll(String of, Soak.SoakOutcome outcome) {
    outcome.samples().forEach(System.out::println);
    add(growth(of, "heap", outcome, Soak.Sample::heapBytes));
    add(growth(of, "process", outcome, Soak.Sample::processBytes));
    add(growth(of, "device", outcome, Soak.Sample::deviceBytes));
    add(growth(of, "disk", outcome, Soak.Sample::diskBytes));
  }

  private BenchmarkRow growth(
      String of, String memory, Soak.SoakOutcome outcome, ToLongFunction<Soak.Sample> bytes) {
    List<Soak.Sample> samples = outcome.samples();
    double first = bytes.applyAsLong(samples.get(samples.size() / 5)) / (double) (1 << 20);
    double last = bytes.applyAsLong(samples.get(samples.size() - 1)) / (double) (1 << 20);
    int open = samples.stream().mapToInt(Soak.Sample::open).max().orElse(0);
    return new BenchmarkRow(
        "soak/%s=%d/faults=%d/%s".formatted(of, outcome.right(), outcome.faults(), memory),
        engine,
        "after a fifth of the " + of,
        last,
        "MiB",
        last == 0 ? 1 : first / last,
        0,
        1,
        true,
        String.format(
            Locale.ROOT,
            "%.1f MiB after a fifth, %.1f at the end; %d looks in %.0f s; at most %d handles,"
                + " lanes, leases or blocks left open",
            first,
            last,
            samples.size(),
            outcome.seconds(),
            open));
  }
}
