/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.grid.GridBuilder;
import io.sparkstencil.spark.grid.GridListener;
import io.sparkstencil.spark.grid.GridSummary;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
   * @param overwrites whether checkpoints of earlier runs are removed
   */
  SolveRun(
      SparkSession spark,
      Problem problem,
      ProblemOptions cells,
      RunOptions options,
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
    problem.parameters().forEach(builder::parameter);
    options.blocks().ifPresent(builder::blocks);
    options.largest().ifPresent(builder::largest);
    problem.fields().forEach((field, first) -> first.addTo(builder, field, problem.shape()));
    List<String> axes = problem.program().axes();
    if (options.source() != null) {
      builder.sources(CellTable.sources("--source", options.source(), axes));
    }
    if (options.receivers() != null) {
      builder.receivers(CellTable.receivers("--receivers", options.receivers(), axes));
    }
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
    grid = builder.create();
    if (grid.steps() > options.steps()) {
      long taken = grid.steps();
      grid.close();
      throw new InvalidStencilException(
          "the checkpoint in %s is the state after %d steps, beyond --steps %d; use at least --steps %d"
              .formatted(options.resume(), taken, options.steps(), taken));
    }
  }

  /**
   * Takes all steps.
   *
   * @param stepsBetweenFrames the steps from one frame to the next
   * @param animates whether frames are kept
   */
  SolveReport.SolveOutcome run(long stepsBetweenFrames, boolean animates) {
    Map<String, GridSummary> before = summaries();
    noteMissing(before);
    if (animates) {
      frames.add(Picture.frame(problem, grid));
    }
    boolean converged = false;
    while (grid.steps() < options.steps() && !converged) {
      converged = advance(Math.min(stepsBetweenFrames, options.steps() - grid.steps()));
      if (animates) {
        frames.add(Picture.frame(problem, grid));
      }
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
