/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockSteps;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.tasks.BlockResult.StepSamples;
import io.sparkstencil.spark.grid.tasks.BlockResult.Written;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.TaskProgram;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The work of one task on the block that it has locked. */
final class BlockWork {
  private final GridModel model;
  private final Orders orders;
  private final Schedule schedule;
  private final HeldBlock held;
  private final ExecutorRuntime runtime;
  private final FaceExchange faces;
  private final List<StepSamples> samples = new ArrayList<>();
  private boolean loaded;
  private int supersteps;
  private long cellSteps;
  private long stepNanos;
  private long exchangeNanos;
  private String engine = "";

  BlockWork(GridModel model, Orders orders, HeldBlock held, ExecutorRuntime runtime) {
    this.model = model;
    this.orders = orders;
    this.schedule = orders.schedule();
    this.held = held;
    this.runtime = runtime;
    this.faces = new FaceExchange(model, schedule, runtime.blocks().fetchers());
  }

  BlockResult run(int block, Supplier<BlockCells> source) throws InterruptedException {
    if (mustBegin()) {
      load(block, source.get());
    }
    reached();
    List<MissingFace> missing = List.of();
    while (held.state() < orders.target() && missing.isEmpty()) {
      missing = fillHalo();
      if (missing.isEmpty()) {
        superstep(block);
        reached();
      }
    }
    boolean there = missing.isEmpty();
    Serializable value =
        there && orders.action() != null ? orders.action().apply(held.arrays()) : null;
    return new BlockResult(
        block,
        BlockBytes.here(),
        held.wanted().number(),
        held.state(),
        loaded,
        supersteps,
        missing,
        samples,
        there ? change() : Double.NaN,
        value,
        written(),
        new BlockResult.Work(
            engine, cellSteps, stepNanos, exchangeNanos, faces.bytesPut(), held.bytes()));
  }

  /** Cells of a later state cannot be taken back, and those before the source have no faces. */
  private boolean mustBegin() {
    boolean marks = orders.markedField() != Orders.NONE;
    return orders.fresh()
        || held.isEmpty()
        || held.state() < schedule.first()
        || held.state() > orders.target()
        || (marks
            && held.state() > orders.markedState()
            && held.markedState() != orders.markedState());
  }

  private void load(int block, BlockCells cells) {
    BlockArrays arrays =
        new BlockArrays(model.type(), model.plan().extended(block), model.fields());
    for (int field = 0; field < model.fields(); field++) {
      arrays.load(field, cells.fields().get(field));
    }
    held.load(arrays, schedule.first());
    loaded = true;
    long start = System.nanoTime();
    faces.put(arrays, Schedule.COEFFICIENTS);
    faces.put(arrays, held.state());
    exchangeNanos += System.nanoTime() - start;
  }

  private List<MissingFace> fillHalo() throws InterruptedException {
    long start = System.nanoTime();
    try {
      if (!held.coefficientsComplete()) {
        List<MissingFace> missing = faces.take(held.arrays(), Schedule.COEFFICIENTS);
        if (!missing.isEmpty()) {
          return missing;
        }
        held.completeCoefficients();
      }
      return faces.take(held.arrays(), held.state());
    } finally {
      exchangeNanos += System.nanoTime() - start;
    }
  }

  private void superstep(int block) {
    int state = held.state();
    long first = schedule.stepsUpTo(state);
    int steps = schedule.stepsFrom(state);
    TaskProgram program =
        held.program(TaskProgram.class, () -> runtime.program(model.program(), model.conf()));
    long start = System.nanoTime();
    try {
      new BlockSteps(
              model.program(),
              held.arrays().place(),
              model.parameters(),
              model.sources(),
              model.receivers())
          .run(held.arrays(), first, steps, program::run)
          .forEach(each -> samples.add(new StepSamples(first, each)));
    } catch (StencilException e) {
      held.drop();
      throw new StencilException(
          e.code(),
          "block %d of the grid, steps %d to %d: %s"
              .formatted(block, first, first + steps, e.getMessage()),
          e);
    } catch (RuntimeException | Error e) {
      held.drop(); // some steps may have been taken
      throw e;
    }
    engine = program.engine();
    stepNanos += System.nanoTime() - start;
    cellSteps += (long) held.arrays().place().extended().cells() * steps;
    held.advance();
    supersteps++;
    long stepped = System.nanoTime();
    faces.put(held.arrays(), held.state());
    exchangeNanos += System.nanoTime() - stepped;
  }

  /** Does what is wanted in a state on the way. */
  private void reached() {
    if (orders.markedField() != Orders.NONE
        && held.state() == orders.markedState()
        && held.markedState() != held.state()) {
      held.mark(orders.markedField());
    }
    int state = held.state();
    if (orders.sink() != null
        && state == orders.checkpointState()
        && !held.writes().containsKey(state)) {
      Box own = held.arrays().place().own();
      BlockCells cells =
          new BlockCells(
              IntStream.range(0, model.fields())
                  .mapToObj(field -> held.arrays().cells(field, own))
                  .toList());
      held.writes().clear();
      held.writes()
          .put(state, runtime.blocks().writers().submit(() -> orders.sink().write(own, cells)));
    }
  }

  private double change() {
    return orders.markedField() == Orders.NONE
        ? Double.NaN
        : CellChange.largest(
            held.marked(), held.arrays().cells(orders.markedField(), held.arrays().place().own()));
  }

  private Written written() throws InterruptedException {
    if (orders.sink() == null || held.state() < orders.checkpointState()) {
      return Written.NONE;
    }
    Future<?> write = held.writes().get(orders.checkpointState());
    if (write == null) {
      return Written.MISSED;
    }
    if (!write.isDone() && !orders.awaitCheckpoint()) {
      return Written.PENDING;
    }
    try {
      write.get();
      return Written.DONE;
    } catch (ExecutionException e) {
      held.writes().clear();
      if (e.getCause() instanceof StencilException failure) {
        throw failure;
      }
      throw new IllegalStateException("the checkpoint of a block failed", e.getCause());
    }
  }
}
