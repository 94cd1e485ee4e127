/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.jobs.command.TimedParameters;
import io.sparkstencil.spark.grid.GridBuilder;
import io.sparkstencil.spark.grid.GridListener;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.SparkSession;

/** A problem on its grid: the steps, and what is seen between them. */
final class SolveRun implements AutoCloseable {
  private final Problem problem;
  private final RunOptions options;
  private final GridListener listener;
  private final List<Picture> frames = new ArrayList<>();
  private StencilGrid grid;
  private long steps;
  private double seconds;
  private double change = Double.NaN;

  /**
   * Makes the grid; cells are made with the first step.
   *
   * @param sources what is added after steps
   * @param overwrites whether checkpoints of earlier runs are removed
   */
  SolveRun(
      SparkSession spark,
      Problem problem,
      ProblemOptions cells,
      RunOptions options,
      List<PointSource> sources,
      boolean overwrites,
      GridListener listener) {
    this.problem = problem;
    this.options = options;
    this.listener = listener;
    GridBuilder builder =
        StencilGrids.builder(spark, problem.program())
            .extent(problem.shape().stream().mapToLong(Long::longValue).toArray())
            .type(cells.type())
            .engine(options.engine())
            .diverging(options.diverging())
            .stepsPerExchange(options.stepsPerExchange())
            .listener(listener);
    TimedParameters timed =
        TimedParameters.of(problem.program(), problem.parameters(), problem.dt());
    if (timed.isTimed()) {
      builder.parameters(timed);
    } else {
      problem.parameters().forEach(builder::parameter);
    }
    options.blocks().ifPresent(builder::blocks);
    options.largest().ifPresent(builder::largest);
    addFirstCells(builder, spark, cells);
    List<String> axes = problem.program().axes();
    builder.sources(sources);
    if (options.receivers() != null) {
      builder.receivers(CellTable.receivers("--receivers", options.receivers(), axes));
    }
    addCheckpoints(builder, overwrites);
    grid = builder.create();
    if (grid.steps() > options.steps()) {
      long taken = grid.steps();
      grid.close();
      throw new InvalidStencilException(
          "the checkpoint in %s is the state after %d steps, beyond --steps %d; use at least --steps %d"
              .formatted(options.resume(), taken, options.steps(), taken));
    }
  }

  private void addFirstCells(GridBuilder builder, SparkSession spark, ProblemOptions cells) {
    Set<String> given = cells.fields().keySet();
    Set<String> ofRows =
        cells.rows() == null
            ? Set.of()
            : FirstCellRows.addTo(builder, spark, cells.rows(), problem, given);
    problem
        .fields()
        .forEach(
            (field, first) -> {
              if (!ofRows.contains(field) || given.contains(field)) { // refused if given twice
                first.addTo(builder, field, problem.shape());
              }
            });
  }

  private void addCheckpoints(GridBuilder builder, boolean overwrites) {
    if (options.checkpoint() != null) {
      builder.checkpoints(options.checkpoint(), options.every());
      if (overwrites) {
        builder.overwriteCheckpoints();
      }
      if (options.takesOver()) {
        builder.takeOverCheckpoints();
      }
    }
    if (options.resume() != null) {
      builder.resume(options.resume());
    }
  }

  /**
   * Takes all steps.
   *
   * @param stepsBetweenFrames the steps from one frame to the next
   * @param animation what frames look like; nothing if none are kept
   */
  SolveReport.SolveOutcome run(long stepsBetweenFrames, Optional<PictureStyle> animation) {
    Map<String, GridSummary> before = summaries();
    noteMissing(before);
    animation.ifPresent(style -> frames.add(Picture.frame(problem, grid, style)));
    boolean converged = false;
    while (grid.steps() < options.steps() && !converged) {
      converged = advance(Math.min(stepsBetweenFrames, options.steps() - grid.steps()));
      animation.ifPresent(style -> frames.add(Picture.frame(problem, grid, style)));
    }
    return new SolveReport.SolveOutcome(before, summaries(), steps, seconds, change);
  }

  /** Takes some steps, and tells whether cells have ceased to change. */
  private boolean advance(long count) {
    long begun = System.nanoTime();
    long from = grid.steps();
    boolean converged = false;
    if (options.until() == null) {
      grid = grid.step(count);
    } else {
      StencilGrid.Until end =
          grid.stepUntil(
              problem.shown(), options.until().change(), count, options.stepsBetweenChecks());
      grid = end.grid();
      change = end.change();
      converged = end.converged();
    }
    seconds += (System.nanoTime() - begun) / 1e9;
    steps += grid.steps() - from;
    return converged;
  }

  /** Says which files have cells that are NaN, as missing values are. */
  private void noteMissing(Map<String, GridSummary> before) {
    problem
        .fields()
        .forEach(
            (field, cells) -> {
              GridSummary summary =
                  cells.isFile() && before.get(field) == null
                      ? grid.summarize(field)
                      : before.get(field);
              if (cells.isFile() && summary.missing() > 0) {
                listener.noted(
                    "field %s begins with %,d cells that are NaN, and so may be what is computed from them"
                        .formatted(field, summary.missing()));
              }
            });
  }

  private Map<String, GridSummary> summaries() {
    Map<String, GridSummary> summaries = new LinkedHashMap<>();
    for (int field = 0; field < problem.program().updates().size(); field++) {
      String name = problem.program().fields().get(field);
      summaries.put(name, grid.summarize(name));
    }
    return summaries;
  }

  /** Returns the grid after the steps that were taken. */
  StencilGrid grid() {
    return grid;
  }

  /** Returns the pictures between the steps. */
  List<Picture> frames() {
    return frames;
  }

  @Override
  public void close() {
    grid.close();
  }
}
