/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockArrays;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.BlockSteps;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.tasks.BlockResult.StepSamples;
import io.sparkstencil.spark.grid.tasks.BlockResult.Written;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.TaskProgram;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private boolean staysOnHeap;
  private boolean changing; // so that nothing is known of the cells if that fails
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

  /** Brings the block to its target; where a device fails with it, from the source on the heap. */
  BlockResult run(int block, Supplier<BlockCells> source) throws InterruptedException {
    while (true) {
      try {
        return bring(block, source);
      } catch (StencilException e) {
        String holder = held.isEmpty() ? "" : held.fields().engine();
        dropIfUnknown();
        if (holder.isEmpty() || !program().isLeftToHost(holder, e)) {
          throw e;
        }
        staysOnHeap = true;
      } catch (RuntimeException | Error e) {
        dropIfUnknown();
        throw e;
      }
    }
  }

  /** Forgets cells that some steps may have changed, or that a device has failed with. */
  private void dropIfUnknown() {
    if (changing || held.deviceBytes() > 0) {
      held.drop();
    }
    changing = false;
  }

  private BlockResult bring(int block, Supplier<BlockCells> source) throws InterruptedException {
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
        there && orders.action() != null ? orders.action().apply(held.fields()) : null;
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
            engine,
            cellSteps,
            stepNanos,
            exchangeNanos,
            faces.bytesPut(),
            held.heapBytes(),
            held.deviceBytes()));
  }

  /**
   * Leaves nothing of the block on this executor: its driver has not heard of it, and the run may
   * have ended.
   */
  void withdraw() {
    held.drop();
    held.wanted().remove();
    faces.withdraw();
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
    held.drop(); // before others are made: there may be no room for both
    held.load(newFields(block), schedule.first());
    changing = true;
    for (int field = 0; field < model.fields(); field++) {
      held.fields().load(field, cells.fields().get(field));
    }
    changing = false;
    loaded = true;
    long start = System.nanoTime();
    faces.put(held.fields(), Schedule.COEFFICIENTS);
    faces.put(held.fields(), held.state());
    exchangeNanos += System.nanoTime() - start;
  }

  private BlockFields newFields(int block) {
    ExtendedBlock place = model.plan().extended(block);
    Optional<BlockFields> onDevice =
        staysOnHeap ? Optional.empty() : program().hold(model.type(), place, model.plan().steps());
    return onDevice.orElseGet(() -> new BlockArrays(model.type(), place, model.fields()));
  }

  private TaskProgram program() {
    return held.program(TaskProgram.class, () -> runtime.program(model.program(), model.conf()));
  }

  private List<MissingFace> fillHalo() throws InterruptedException {
    long start = System.nanoTime();
    try {
      if (!held.coefficientsComplete()) {
        List<MissingFace> missing = faces.take(held.fields(), Schedule.COEFFICIENTS);
        if (!missing.isEmpty()) {
          return missing;
        }
        held.completeCoefficients();
      }
      return faces.take(held.fields(), held.state());
    } finally {
      exchangeNanos += System.nanoTime() - start;
    }
  }

  private void superstep(int block) {
    int state = held.state();
    long first = schedule.stepsUpTo(state);
    int steps = schedule.stepsFrom(state);
    TaskProgram program = program();
    long start = System.nanoTime();
    changing = true;
    try {
      new BlockSteps(
              model.program(),
              held.fields().place(),
              model.parameters(),
              model.sources(),
              model.receivers())
          .run(held.fields(), first, steps, program::step)
          .forEach(each -> samples.add(new StepSamples(first, each)));
    } catch (StencilException e) {
      throw new StencilException(
          e.code(),
          "block %d of the grid, steps %d to %d: %s"
              .formatted(block, first, first + steps, e.getMessage()),
          e);
    }
    changing = false;
    engine = program.engine();
    stepNanos += System.nanoTime() - start;
    cellSteps += (long) held.fields().place().extended().cells() * steps;
    held.advance();
    supersteps++;
    long stepped = System.nanoTime();
    faces.put(held.fields(), held.state());
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
      Box own = held.fields().place().own();
      BlockCells cells =
          new BlockCells(
              IntStream.range(0, model.fields())
                  .mapToObj(field -> held.fields().cells(field, own))
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
            held.marked(), held.fields().cells(orders.markedField(), held.fields().place().own()));
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
