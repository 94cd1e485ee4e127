/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What becomes of the rate of a grid when it grows with the number of GPUs: measured on one and on
 * several, in one executor and in one executor each.
 */
final class WeakRows {
  private static final String ONE = WeakKind.ONE.subject();

  private final int dimensions;
  private final WeakRun.WeakProblem work;
  private final Consumer<BenchmarkRow> rows;

  /**
   * Prepares the rows.
   *
   * @param cells those of a GPU, about
   * @param blocks those of a GPU; empty to leave them to the grid
   * @param perExchange the steps between two exchanges; empty to leave them to the grid
   * @param seconds what a measurement lasts, about
   * @param megabytes the memory of an executor
   */
  WeakRows(
      int dimensions,
      long cells,
      OptionalInt blocks,
      OptionalInt perExchange,
      double seconds,
      int repeats,
      int megabytes,
      Consumer<BenchmarkRow> rows) {
    this.dimensions = dimensions;
    this.rows = rows;
    GridCase what = GridCase.of(dimensions, ElementType.F32, cells);
    work =
        new WeakRun.WeakProblem(
            what.program(),
            what.type(),
            sizes(dimensions, cells),
            blocks,
            perExchange,
            seconds,
            repeats,
            megabytes);
  }

  /** Returns cells along the axes, as many along each as can be; powers of two make one of two. */
  static List<Long> sizes(int dimensions, long cells) {
    List<Long> sizes = new ArrayList<>();
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(cells);
    for (int axis = 0; axis < dimensions; axis++) {
      sizes.add(
          Long.bitCount(cells) == 1
              ? 1L << ((bits + dimensions - 1 - axis) / dimensions)
              : Math.round(Math.pow((double) cells, 1.0 / dimensions)));
    }
    return sizes;
  }

  String name() {
    return "grid/heat/%dd/f32/weak".formatted(dimensions);
  }

  /**
   * Measures rows as far as this host has GPUs, and this process may start executors.
   *
   * @param kinds the first is that of one GPU
   * @param pattern that the names of the others have
   */
  void measure(List<WeakKind> kinds, String pattern) throws IOException {
    int gpus = CudaDriver.get().devices().size();
    boolean startsExecutors = LocalSpark.startsExecutors();
    List<WeakRun> runs = new ArrayList<>();
    for (WeakKind kind : kinds) {
      if (kind.gpus() > 1 && !kind.subject().matches(pattern)) {
        continue;
      }
      if (kind.gpus() > gpus) {
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
            name(),
            run.kind.subject(),
            ONE,
            run.nanos,
            "ns per cell and step",
            speedup(one, run),
            run.right && run.summary.equals(reference.summary),
            "%s cells in %s blocks, %d steps per exchange, faces by each way %s; %s; %s; measurements %s"
                .formatted(
                    run.blocks.sizes(),
                    run.blocks.parts(),
                    run.stepsPerExchange,
                    run.faces,
                    run.load,
                    run.log,
                    run.nanos)));
  }

  private static double speedup(WeakRun one, WeakRun run) {
    return Quantiles.median(one.nanos) / Quantiles.median(run.nanos);
  }
}
