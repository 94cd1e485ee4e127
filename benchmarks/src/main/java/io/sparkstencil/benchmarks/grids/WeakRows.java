/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What becomes of the rate of a grid when it grows with the number of GPUs: measured on one and on
 * several, in one executor and in one executor each.
 */
final class WeakRows {
  private static final String ONE = WeakKind.ONE.subject();

  private final WeakProblem work;
  private final Consumer<BenchmarkRow> rows;

  /** Prepares the rows. */
  WeakRows(WeakProblem work, Consumer<BenchmarkRow> rows) {
    this.work = work;
    this.rows = rows;
  }

  /**
   * Measures rows as far as this host has GPUs, and this process may start executors.
   *
   * @param kinds the first is that of one GPU
   * @param pattern that the names of the others have
   */
  void measure(List<WeakKind> kinds, String pattern) throws IOException {
    int gpus = work.isOnGpus() ? CudaDriver.get().devices().size() : Integer.MAX_VALUE;
    boolean startsExecutors = LocalSpark.startsExecutors();
    List<WeakRun> runs = new ArrayList<>();
    for (WeakKind kind : kinds) {
      if (kind.gpus() > 1 && !kind.subject().matches(pattern)) {
        continue;
      }
      if (!work.fits(kind.gpus())) {
        System.out.printf(
            "no row of %s: its grid does not grow as %s%n",
            kind.subject(), work.settings().grows());
      } else if (kind.gpus() > gpus) {
        System.out.printf("no row of %s: this process sees %d GPUs%n", kind.subject(), gpus);
      } else if (kind.executors() > 1 && !startsExecutors) {
        System.out.printf(
            "no row of %s: set SPARK_HOME to a folder, and SPARK_SCALA_VERSION%n", kind.subject());
      } else {
        runs.add(new WeakRun(kind, work));
        add(runs.get(0), runs.get(runs.size() - 1), reference(runs));
      }
    }
  }

  /** Returns the first run on as many GPUs as the last, whose cells must be the same. */
  private static WeakRun reference(List<WeakRun> runs) {
    int gpus = runs.get(runs.size() - 1).kind.gpus();
    return runs.stream().filter(run -> run.kind.gpus() == gpus).findFirst().orElseThrow();
  }

  private void add(WeakRun one, WeakRun run, WeakRun reference) {
    rows.accept(
        BenchmarkRow.of(
            work.name(),
            run.kind.subject(),
            ONE,
            run.nanos,
            "ns per cell and step",
            speedup(one, run),
            run.right && run.summary.equals(reference.summary),
            "%s cells in %s blocks, %d steps per exchange, faces by each way %s; forecast %s; %s; %s; measurements %s"
                .formatted(
                    run.blocks.sizes(),
                    run.blocks.parts(),
                    run.stepsPerExchange,
                    run.faces,
                    forecast(one, run),
                    run.load,
                    run.log,
                    run.nanos)));
  }

  /** Says what the costs expect, and their error. */
  private String forecast(WeakRun one, WeakRun run) {
    double times =
        WeakProjection.of(work.dimensions(), work.type()).speedup(one.measured(), run.measured());
    return String.format(
        Locale.ROOT, "%.2f times one GPU, %+.1f %%", times, 100 * (times / speedup(one, run) - 1));
  }

  private static double speedup(WeakRun one, WeakRun run) {
    return Quantiles.median(one.nanos) / Quantiles.median(run.nanos);
  }
}
