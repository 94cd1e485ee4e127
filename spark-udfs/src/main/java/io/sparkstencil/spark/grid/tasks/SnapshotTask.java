/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.blocks.BlockKey;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;

/** Copies the cells of a block in a state, if this executor holds it, and computes nothing. */
public final class SnapshotTask implements PlacedRdd.Work<BlockCells, BlockCells> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<GridModel> model;
  private final int run;
  private final int state;

  /** Creates the work. */
  public SnapshotTask(Broadcast<GridModel> model, int run, int state) {
    this.model = model;
    this.run = run;
    this.state = state;
  }

  @Override
  public BlockCells run(TaskContext context, int block, Supplier<BlockCells> source) {
    GridModel grid = model.value();
    Optional<HeldBlock> found =
        ExecutorRuntime.current().blocks().find(new BlockKey(grid.id(), run, block));
    return found
        .flatMap(held -> copy(held, grid.fields()))
        .orElseThrow(
            () ->
                new BadDataException(
                    "block %d of a grid is in another state by now, or lost; take the dataset of the grid again"
                        .formatted(block)));
  }

  private Optional<BlockCells> copy(HeldBlock held, int fields) {
    try {
      held.lock();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while another task has the block", e);
    }
    try {
      if (held.isEmpty() || held.state() != state) {
        return Optional.empty();
      }
      Box own = held.fields().place().own();
      return Optional.of(
          new BlockCells(
              IntStream.range(0, fields).mapToObj(i -> held.fields().cells(i, own)).toList()));
    } finally {
      held.unlock();
    }
  }
}
