/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.grids.WeakProblem.WeakSettings;
import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures whole jobs on grids against their programs alone, and against lag and lead. */
@Command(
    name = "grids",
    description = "Grids over executors, against their programs without Spark, and lag and lead.")
public final class GridBenchmark extends BenchmarkCommand {
  private static final String ALONE = "the program alone";
  private static final String LAG = "grid/heat/1d/f64";
  private static final int EXECUTORS = 3;
  private static final int CHECKPOINT_STEPS = 1000;
  private static final double WARM_UP_SECONDS = 10;

  @Option(
      names = "--names",
      defaultValue = ".*",
      paramLabel = "REGEX",
      description = "Rows to measure, such as 'grid/heat/2d/.*'.")
  private Pattern names;

  @Option(names = "--engine", defaultValue = "auto", description = "What takes the steps.")
  private String engine;

  @Option(names = "--master", defaultValue = "local[*]", description = "Spark's master.")
  private String master;

  @Option(names = "--cells", defaultValue = "16777216", description = "The cells of a grid, about.")
  private long cells;

  @Option(names = "--blocks", description = "The blocks of a grid, or of a GPU.")
  private Integer blocks;

  @Option(names = "--steps-per-exchange", description = "The steps between two exchanges.")
  private Integer stepsPerExchange;

  @Option(names = "--seconds", defaultValue = "5", description = "What a measurement lasts, about.")
  private double seconds;

  @Option(names = "--repeats", defaultValue = "5", description = "The measurements of a row.")
  private int repeats;

  @Option(
      names = "--lag-cells",
      defaultValue = "1000000",
      description = "The rows of steps by lag and lead; 0 leaves them out.")
  private long lagCells;

  @Option(
      names = "--recovery-steps",
      defaultValue = "5000",
      description = "The steps in the middle of which an executor is killed; 0 for none.")
  private int recoverySteps;

  @Option(
      names = "--recovery-cells",
      defaultValue = "4194304",
      description = "The cells of that grid, about.")
  private long recoveryCells;

  @Option(
      names = "--recovery-conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of the Spark in which that executor is killed.")
  private Map<String, String> recoveryConf = Map.of();

  @Option(
      names = "--budget-bytes",
      defaultValue = "0",
      description =
          "The memory of a grid that needs four times as much: of the GPU or, with the engine cpu, of the heap; 0 for none.")
  private long budgetBytes;

  @Option(
      names = "--weak-cells-per-gpu",
      defaultValue = "0",
      description =
          "The cells that each GPU has of a grid that grows with their number; 0 for none.")
  private long weakCells;

  @Option(
      names = "--weak-executor-megabytes",
      defaultValue = "49152",
      description = "The memory of each of its executors.")
  private int weakMegabytes;

  @Option(
      names = "--python",
      defaultValue = "benchmarks/python",
      description = "The folder of scripts: NumPy is measured, or JAX and CuPy with --engine gpu.")
  private Path python;

  @Override
  protected void measure() throws Exception {
    measureHere();
    BudgetRows overBudget =
        new BudgetRows(engine, master, budgetBytes, seconds, repeats, this::add);
    if (budgetBytes > 0 && names.matcher(overBudget.name()).matches()) {
      overBudget.measure();
    }
    for (int dimensions = 1; weakCells > 0 && dimensions <= 3; dimensions++) {
      WeakProblem weak = WeakProblem.of(dimensions, ElementType.F32, weakCells, weakSettings());
      if (names.matcher(weak.name()).matches()) {
        new WeakRows(weak, this::add).measure(WeakKind.of(2, CHECKPOINT_STEPS), ".*");
      }
    }
    RecoveryRows recovery =
        new RecoveryRows(
            EXECUTORS,
            recoveryCells,
            recoverySteps,
            perExchange(),
            repeats,
            recoveryConf,
            this::add);
    if (recoverySteps > 0 && names.matcher(recovery.name()).matches()) {
      recovery.measure();
    }
  }

  private WeakSettings weakSettings() {
    return new WeakSettings(
        Engines.GPU,
        List.of(),
        blocks == null ? OptionalInt.empty() : OptionalInt.of(blocks),
        perExchange(),
        CHECKPOINT_STEPS,
        "",
        WARM_UP_SECONDS,
        seconds,
        repeats,
        weakMegabytes);
  }

  private void measureHere() throws IOException {
    SparkSession spark = LocalSpark.session("grids", master).getOrCreate();
    try {
      for (int dimensions = 1; dimensions <= 3; dimensions++) {
        for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
          GridCase what = GridCase.of(dimensions, type, cells);
          if (names.matcher(what.name()).matches()) {
            measure(what, spark);
          }
        }
      }
      if (lagCells > 0 && names.matcher(LAG).matches()) {
        measureLag(spark);
      }
    } finally {
      spark.stop();
    }
  }

  private void measure(GridCase what, SparkSession spark) throws IOException {
    int cores = spark.sparkContext().defaultParallelism();
    String subject;
    List<Double> gridNanos;
    try (AloneRun alone = new AloneRun(what, engine, cores)) {
      boolean right = isRight(what.small(), spark);
      int aloneSteps = GridPace.stepsOf(alone::seconds, 1, seconds);
      try (StencilGrid grid = grid(what, spark)) {
        GridPace running = new GridPace(grid);
        int steps = running.stepsOf(seconds);
        GridMetrics before = grid.metrics();
        Map<String, List<Double>> nanos =
            Turns.measure(
                List.of("grid", ALONE),
                1,
                each -> repeats,
                each ->
                    1e9
                        / what.cells()
                        * (each.equals(ALONE)
                            ? alone.seconds(aloneSteps) / aloneSteps
                            : running.seconds(steps) / steps));
        subject = running.subject(master);
        gridNanos = nanos.get("grid");
        add(what, running, before, nanos, right);
      }
    }
    try (StencilGrid first = grid(what, spark)) {
      PythonRows peers =
          engine.equals(Engines.GPU)
              ? PythonRows.onGpu(python, Math.min(1, seconds), this::add)
              : PythonRows.onCpu(python, cores, this::add);
      peers.measure(what, first, subject, gridNanos);
    }
  }

  private void add(
      GridCase what,
      GridPace running,
      GridMetrics before,
      Map<String, List<Double>> nanos,
      boolean right) {
    GridMetrics metrics = running.latest().metrics();
    double ratio = Quantiles.median(nanos.get(ALONE)) / Quantiles.median(nanos.get("grid"));
    long jobs = metrics.jobs() - before.jobs();
    long supersteps = metrics.supersteps() - before.supersteps();
    int count = running.latest().executors().size();
    add(
        BenchmarkRow.of(
            what.name(),
            running.subject(master),
            ALONE,
            nanos.get("grid"),
            "ns per cell and step",
            ratio,
            right,
            "%s cells, %d steps per exchange, %.1f supersteps per job, %.0f %% of tasks' time for halos"
                .formatted(
                    what.sizes(),
                    running.latest().stepsPerExchange(),
                    (double) supersteps / count / jobs,
                    100
                        * metrics.exchangeSeconds()
                        / (metrics.exchangeSeconds() + metrics.stepSeconds()))));
    add(
        BenchmarkRow.of(
            what.name(),
            ALONE,
            ALONE,
            nanos.get(ALONE),
            "ns per cell and step",
            1,
            right,
            what.sizes() + " cells"));
  }

  private StencilGrid grid(GridCase what, SparkSession spark) {
    var builder =
        StencilGrids.builder(spark, what.program())
            .extent(what.extent())
            .type(what.type())
            .field("u", GridCase::first)
            .engine(engine)
            .stepsPerExchange(perExchange());
    return (blocks == null ? builder : builder.blocks(blocks)).create();
  }

  private OptionalInt perExchange() {
    return stepsPerExchange == null ? OptionalInt.empty() : OptionalInt.of(stepsPerExchange);
  }

  /** Returns whether a grid has the bits of the reference. */
  private boolean isRight(GridCase what, SparkSession spark) {
    int steps = 23;
    try (StencilGrid grid = grid(what, spark);
        AloneRun alone = new AloneRun(what, "reference", 1)) {
      alone.seconds(steps);
      return CellChange.largest(grid.step(steps).read("u"), alone.cells()) == 0;
    }
  }

  private void measureLag(SparkSession spark) {
    double lag = Quantiles.median(LagSteps.seconds(spark, lagCells, 3));
    GridCase what = GridCase.of(1, ElementType.F64, lagCells);
    try (StencilGrid grid = grid(what, spark)) {
      GridPace running = new GridPace(grid);
      int steps = running.stepsOf(seconds);
      List<Double> values =
          IntStream.range(0, repeats).mapToObj(i -> running.seconds(steps) / steps * 1e3).toList();
      add(
          BenchmarkRow.of(
              LAG + "/lag",
              "%d blocks, %s".formatted(running.latest().executors().size(), master),
              "lag and lead in Spark SQL",
              values,
              "ms per step",
              lag * 1e3 / Quantiles.median(values),
              isRight(what.small(), spark),
              "%d cells; a step by lag and lead takes %.3g s".formatted(lagCells, lag)));
    }
  }
}
