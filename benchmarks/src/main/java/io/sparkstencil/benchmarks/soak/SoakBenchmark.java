/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs small jobs with injected faults and writes how memory has grown from the end of the fifth
 * part of them to the end of all.
 */
@Command(name = "soak", description = "Many small jobs with injected faults: how memory grows.")
public final class SoakBenchmark extends BenchmarkCommand {
  @Option(names = "--engine", defaultValue = "cpu", description = "The engine below the faults.")
  private String engine;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--applications", defaultValue = "20", description = "One after the other.")
  private int applications;

  @Option(names = "--jobs", defaultValue = "100", description = "Jobs of each application.")
  private int jobs;

  @Override
  protected void measure() throws IOException {
    Soak.Outcome outcome = new Soak(engine, master, 7).run(applications, jobs);
    outcome.samples().forEach(System.out::println);
    add(growth("heap", engine, outcome, Soak.Sample::heapBytes));
    add(growth("process", engine, outcome, Soak.Sample::processBytes));
    add(growth("device", engine, outcome, Soak.Sample::deviceBytes));
  }

  private static BenchmarkRow growth(
      String memory, String engine, Soak.Outcome outcome, ToLongFunction<Soak.Sample> bytes) {
    List<Soak.Sample> samples = outcome.samples();
    double first = bytes.applyAsLong(samples.get(samples.size() / 5)) / (double) (1 << 20);
    double last = bytes.applyAsLong(samples.get(samples.size() - 1)) / (double) (1 << 20);
    int open = samples.stream().mapToInt(Soak.Sample::open).max().orElse(0);
    return new BenchmarkRow(
        "soak/jobs=%d/faults=%d/%s".formatted(outcome.jobs(), outcome.faults(), memory),
        engine,
        "after a fifth of the jobs",
        last,
        "MiB",
        last == 0 ? 1 : first / last,
        0,
        1,
        true,
        String.format(
            Locale.ROOT,
            "%.1f MiB after a fifth, %.1f at the end; %d applications in %.0f s; at most %d handles, lanes or leases left open",
            first,
            last,
            samples.size(),
            outcome.seconds(),
            open));
  }
}
