/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs small jobs, and grids, with injected faults and writes how memory has grown from the end of
 * the fifth part of them to the end of all.
 */
@Command(name = "soak", description = "Jobs and grids with injected faults: how memory grows.")
public final class SoakBenchmark extends BenchmarkCommand {
  private static final double MIB = 1 << 20;

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

  @Option(
      names = "--clustered-grids",
      defaultValue = "0",
      description = "Grids on three executors, of which some are killed; needs SPARK_HOME.")
  private int clusteredGrids;

  @Option(names = "--kills", defaultValue = "5", description = "Executors killed by such a grid.")
  private int kills;

  @Option(
      names = "--executor-megabytes",
      defaultValue = "512",
      description = "The memory of each of them.")
  private int megabytes;

  @Option(
      names = "--seed",
      defaultValue = "7",
      description = "Of grids, faults and moments; another one for each part of a long run.")
  private long seed;

  @Override
  protected void measure() throws Exception {
    if (applications > 0) {
      addAll("jobs", new Soak(engine, master, seed).run(applications, jobs));
    }
    if (grids > 0) {
      addAll("grids", new GridSoak(engine, master, seed).run(grids, supersteps));
    }
    if (clusteredGrids > 0) {
      addAll(new ClusterSoak(megabytes, seed).run(clusteredGrids, supersteps, kills));
    }
  }

  private void addAll(ClusterSoak.ClusterOutcome outcome) {
    addAll(outcome, "the driver", outcome.driver());
    addAll(outcome, "the executor that lives on", outcome.executor());
  }

  private void addAll(
      ClusterSoak.ClusterOutcome outcome, String whose, List<ClusterSoak.ProcessLook> looks) {
    add(growth(outcome, whose, looks, "heap", "MiB", look -> look.heapBytes() / MIB));
    add(growth(outcome, whose, looks, "process", "MiB", look -> look.processBytes() / MIB));
    add(growth(outcome, whose, looks, "files", "open files", look -> look.files()));
    add(growth(outcome, whose, looks, "threads", "threads", look -> look.threads()));
  }

  private BenchmarkRow growth(
      ClusterSoak.ClusterOutcome outcome,
      String whose,
      List<ClusterSoak.ProcessLook> looks,
      String what,
      String unit,
      ToDoubleFunction<ClusterSoak.ProcessLook> value) {
    double first = value.applyAsDouble(looks.get(looks.size() / 5));
    double last = value.applyAsDouble(looks.get(looks.size() - 1));
    int left = looks.stream().mapToInt(ClusterSoak.ProcessLook::left).max().orElse(0);
    return new BenchmarkRow(
        "soak/clustered=%d/killed=%d/%s".formatted(outcome.right(), outcome.killed(), what),
        whose,
        "after a fifth of the grids",
        last,
        unit,
        first / last,
        0,
        1,
        left == 0,
        String.format(
            Locale.ROOT,
            "%.1f after a fifth, %.1f at the end, %.1f at the most; %d looks in %.0f s; %d supersteps of"
                + " blocks taken again, %d faces pushed; at most %d blocks or faces left",
            first,
            last,
            looks.stream().mapToDouble(value).max().orElse(0),
            looks.size(),
            outcome.seconds(),
            outcome.replayed(),
            outcome.pushed(),
            left));
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
    double first = bytes.applyAsLong(samples.get(samples.size() / 5)) / MIB;
    double last = bytes.applyAsLong(samples.get(samples.size() - 1)) / MIB;
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
