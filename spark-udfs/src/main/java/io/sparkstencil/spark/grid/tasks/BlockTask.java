/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.blocks.BlockKey;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Brings one block to a state: in place where the executor holds it, else from the source. A task
 * that finds the state already there has nothing left to do, so attempts may be repeated.
 */
public final class BlockTask implements PlacedRdd.Work<BlockCells, BlockResult> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<GridModel> model;
  private final int run;
  private final Orders orders;

  /**
   * Creates the work of a job.
   *
   * @param run the number of the run, also that of an RDD for marks
   */
  public BlockTask(Broadcast<GridModel> model, int run, Orders orders) {
    this.model = model;
    this.run = run;
    this.orders = orders;
  }

  @Override
  public BlockResult run(TaskContext context, int block, Supplier<BlockCells> source) {
    context.killTaskIfInterrupted();
    GridModel grid = model.value();
    ExecutorRuntime runtime = ExecutorRuntime.current();
    BlockKey key = new BlockKey(grid.id(), run, block);
    HeldBlock held;
    try {
      held = runtime.blocks().lock(key, () -> StoredMark.put(run, context.taskAttemptId()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while another task has the block", e);
    }
    BlockWork work = new BlockWork(grid, orders, held, runtime);
    boolean done = false;
    try {
      BlockResult result = work.run(block, source);
      done = !context.isInterrupted();
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while faces are fetched", e);
    } finally {
      if (!done) {
        work.withdraw(); // so that whoever repeats the task samples again, too
      }
      held.unlock();
    }
  }
}
