/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;

/**
 * What it costs a grid that only a quarter of it may stay where steps are taken: in the memory of a
 * GPU, where the others wait on the heap; or on the heap, where they wait in files.
 */
final class BudgetRows {
  private static final int TIMES = 4;
  private static final String HEAP_BYTES = "spark.stencil.grid.heapBytes";

  private final GridCase what;
  private final String engine;
  private final String master;
  private final long budget;
  private final double seconds;
  private final int repeats;
  private final Consumer<BenchmarkRow> rows;

  /**
   * Prepares the row.
   *
   * @param budget the bytes that may stay
   * @param seconds what a measurement lasts, about
   */
  BudgetRows(
      String engine,
      String master,
      long budget,
      double seconds,
      int repeats,
      Consumer<BenchmarkRow> rows) {
    this.engine = engine;
    this.master = master;
    this.budget = budget;
    this.seconds = seconds;
    this.repeats = repeats;
    this.rows = rows;
    // steps on a device need two arrays
    int cellBytes = ElementType.F32.bytes() * (onDevice() ? 2 : 1);
    what = GridCase.of(2, ElementType.F32, TIMES * budget / cellBytes);
  }

  private boolean onDevice() {
    return engine.equals(Engines.GPU);
  }

  String name() {
    return what.name() + "/over-budget";
  }

  /** Measures the row: first with the budget, and then with as much memory as there is. */
  void measure() {
    BudgetRun little = new BudgetRun(budget, 0);
    BudgetRun enough = new BudgetRun(0, little.checkedSteps);
    rows.accept(
        BenchmarkRow.of(
            name(),
            little.subject,
            "the same grid in memory",
            little.nanos,
            "ns per cell and step",
            Quantiles.median(enough.nanos) / Quantiles.median(little.nanos),
            little.waited && little.summary.equals(enough.summary),
            "%s cells, room for %.2f GB; %d steps per exchange, and %d in memory, where it takes %.4g ns"
                .formatted(
                    what.sizes(),
                    budget * 1e-9,
                    little.stepsPerExchange,
                    enough.stepsPerExchange,
                    Quantiles.median(enough.nanos))));
  }

  /** One grid, with a budget or without. */
  private final class BudgetRun {
    private final String subject;
    private final int stepsPerExchange;
    private final int checkedSteps;
    private final GridSummary summary;
    private final boolean waited;
    private final List<Double> nanos;

    /**
     * Makes and measures a grid.
     *
     * @param checked the steps after which the cells are summarized; 0 for one superstep
     */
    BudgetRun(long budget, int checked) {
      SparkSession.Builder session = LocalSpark.session("over-budget", master);
      if (onDevice()) { // the heap is for those that wait
        session.config(HEAP_BYTES, Runtime.getRuntime().maxMemory() / 4 * 3);
      }
      if (budget > 0) {
        session.config(onDevice() ? "spark.stencil.grid.deviceBytes" : HEAP_BYTES, budget);
      }
      SparkSession spark = session.getOrCreate();
      try (StencilGrid first =
          StencilGrids.builder(spark, what.program())
              .extent(what.extent())
              .type(what.type())
              .field("u", GridCase::first)
              .engine(engine)
              .create()) {
        stepsPerExchange = first.stepsPerExchange();
        checkedSteps = checked == 0 ? stepsPerExchange : checked;
        GridPace pace = new GridPace(first);
        pace.seconds(checkedSteps);
        summary = pace.latest().summarize("u");
        int steps = pace.stepsOf(seconds);
        nanos =
            IntStream.range(0, repeats)
                .mapToObj(i -> 1e9 * pace.seconds(steps) / steps / what.cells())
                .toList();
        GridMetrics metrics = pace.latest().metrics();
        System.out.printf(
            Locale.ROOT,
            "%s: %d steps per exchange, %.4g ns, %d bytes on devices and %d on disk%n",
            name(),
            stepsPerExchange,
            Quantiles.median(nanos),
            metrics.deviceBytes(),
            metrics.diskBytes());
        waited = onDevice() ? metrics.deviceBytes() <= budget : metrics.diskBytes() > 0;
        subject = pace.subject(master);
      } finally {
        spark.stop();
      }
    }
  }
}
