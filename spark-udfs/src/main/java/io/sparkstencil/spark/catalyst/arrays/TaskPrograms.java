/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.programs.ProgramBatch;
import io.sparkstencil.spark.programs.ProgramOperation;
import io.sparkstencil.spark.programs.ProgramRunner;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs of a task, each with a batch of the arrays that it computes next, and what they have
 * done. Used by one thread.
 */
public final class TaskPrograms {
  private final StencilConf conf;
  private final ArrayProjectMetrics metrics;
  private final List<ProgramRunner> runners = new ArrayList<>();
  private final List<ProgramBatch> batches = new ArrayList<>();
  private long cells;
  private long nanos;

  /** Creates the programs of a task, of which there are none yet. */
  public TaskPrograms(StencilConf conf, ArrayProjectMetrics metrics) {
    this.conf = conf;
    this.metrics = metrics;
  }

  /** Adds a program over arrays of a type. */
  public void add(ProgramOperation operation, ElementType type) {
    ProgramRunner runner = operation.runner(conf);
    runners.add(runner);
    batches.add(new ProgramBatch(runner, type));
  }

  /** Returns the batch of each program, in the order in which these were added. */
  public List<ProgramBatch> batches() {
    return batches;
  }

  /** Says how many cells an array has that was put into a batch. */
  public void addCells(long count) {
    cells += count;
  }

  /** Begins the next batches. */
  public void clear() {
    batches.forEach(ProgramBatch::clear);
  }

  /** Returns whether one of the batches has no room. */
  public boolean isFull() {
    return batches.stream().anyMatch(ProgramBatch::isFull);
  }

  /** Computes all batches. */
  public void run() {
    long start = System.nanoTime();
    batches.forEach(ProgramBatch::run);
    nanos += System.nanoTime() - start;
  }

  /** Adds what was done to the metrics, at the end of the task. */
  public void count() {
    metrics.add(runners, cells, nanos);
  }
}
