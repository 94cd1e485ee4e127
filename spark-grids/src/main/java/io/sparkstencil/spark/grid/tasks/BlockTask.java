/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.BlockRegistry.Entry;
import io.sparkstencil.spark.grid.blocks.RunKey;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.SerializableWritable;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Brings one block to a state: in place where the executor holds it, else from the source. A task
 * that finds the state already there has nothing left to do, so attempts may be repeated.
 */
public final class BlockTask implements PlacedRdd.PartitionTask<FirstCells, BlockResult> {
  private static final long serialVersionUID = 3L;

  private final Broadcast<SerializableWritable<Packed<GridModel>>> model;
  private final int run;
  private final int job;
  private final Orders orders;
  private final Places places;

  /**
   * Creates the work of a job.
   *
   * @param run the number of the run, also that of an RDD for marks
   * @param job the number of the job among those of the run, in their order
   * @param places where blocks are
   */
  public BlockTask(
      Broadcast<SerializableWritable<Packed<GridModel>>> model,
      int run,
      int job,
      Orders orders,
      Places places) {
    this.model = model;
    this.run = run;
    this.job = job;
    this.orders = orders;
    this.places = places;
  }

  @Override
  public BlockResult run(TaskContext context, int block, Supplier<Iterator<FirstCells>> source) {
    context.killTaskIfInterrupted();
    GridModel grid = Packed.open(model.value());
    ExecutorRuntime runtime = ExecutorRuntime.current();
    Entry entry =
        BlockRegistry.of(runtime)
            .enter(
                new RunKey(grid.id(), run),
                block,
                job,
                () -> StoredMark.put(run, context.taskAttemptId()));
    String here = BlockBytes.here();
    BlockWork work = new BlockWork(grid, orders, places, here, runtime);
    NextMove next = new NextMove(grid, orders, job, entry.run(), entry.block());
    SharedWork shared = new SharedWork(work, next, orders, job, entry, here);
    boolean done = false;
    try {
      BlockResult result = shared.bring(source, context::killTaskIfInterrupted);
      done = !context.isInterrupted();
      if (done
          && orders.action() != null
          && orders.action().isLast()
          && result.state() == orders.target()) {
        FaceExchange.leave(entry.block(), grid, orders.schedule());
        FaceExchange.forget(entry.block(), BlockWork.tally(entry.block()));
        entry.run().withdraw(entry.block());
      }
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while faces are fetched", e);
    } finally {
      if (!done) { // so that whoever repeats the task samples again, too
        entry.run().withdraw(entry.block());
        FaceExchange.withdraw(entry.block(), BlockWork.tally(entry.block()));
      }
    }
  }
}
