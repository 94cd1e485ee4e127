/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.AwaitedFailure;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.BlockSteps;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.watch.BlockWatch;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.cells.LoadBudget;
import io.sparkstencil.spark.grid.faces.PushedFaces;
import io.sparkstencil.spark.grid.tasks.BlockResult.Stage;
import io.sparkstencil.spark.grid.tasks.BlockResult.StepSamples;
import io.sparkstencil.spark.grid.tasks.BlockResult.Written;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.TaskProgram;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** What a task does with a block that it uses alone; all but {@link #fill} change it. */
final class BlockWork {
  private final GridModel model;
  private final Orders orders;
  private final Schedule schedule;
  private final Places places;
  private final ExecutorRuntime runtime;
  private final BlockRegistry registry;
  private final HostMemory host;
  private final FaceExchange faces;
  private boolean writes;

  /**
   * Creates the work of a task.
   *
   * @param places where blocks are
   * @param here the executor, as a preferred location
   */
  BlockWork(GridModel model, Orders orders, Places places, String here, ExecutorRuntime runtime) {
    this.model = model;
    this.orders = orders;
    this.schedule = orders.schedule();
    this.places = places;
    this.runtime = runtime;
    this.registry = BlockRegistry.of(runtime);
    this.host = new HostMemory(model, registry.heap());
    this.faces = new FaceExchange(model, orders, places, here, runtime);
  }

  /** Returns what has been done with a block. */
  static BlockTally tally(HeldBlock held) {
    return held.attached(BlockTally.class, BlockTally::new);
  }

  private TaskProgram program(HeldBlock held) {
    return held.attached(
        TaskProgram.class,
        () -> runtime.program(model.program(), model.conf(), places.share(held.block())));
  }

  /**
   * Replaces the cells of a block by those of the source.
   *
   * @param first the first of them
   * @param others the others, each of which is forgotten before the next
   */
  void load(HeldBlock held, FirstCells first, Iterator<FirstCells> others) {
    FaceExchange.forget(held, tally(held));
    held.free(); // before others are made: there may be no room for both
    held.load(newFields(held));
    held.fields()
        .inMemory(
            fields -> {
              LoadBudget budget = registry.heap().loads();
              first.load(fields, model.type(), budget);
              others.forEachRemaining(each -> each.load(fields, model.type(), budget));
              watch(held, fields);
            });
    tally(held).load();
  }

  /** Takes the cells that are no numbers in the beginning for what belongs there. */
  private void watch(HeldBlock held, BlockFields fields) {
    held.detach(BlockWatch.class);
    if (model.watch().isOn()) {
      long steps = schedule.stepsUpTo(schedule.first());
      held.attached(
          BlockWatch.class,
          () -> new BlockWatch(fields, model.updated(), model.watch().bound(), steps));
    }
  }

  /** Returns whether a block is looked at for cells that diverge after a superstep. */
  private boolean isWatched(int state) {
    return model.watch().isDue(schedule.stepsUpTo(state), schedule.stepsFrom(state))
        || (model.watch().isOn() && orders.watchedState() == state + 1);
  }

  private BlockFields newFields(HeldBlock held) {
    ExtendedBlock place = model.plan().extended(held.block());
    Optional<BlockFields> onDevice =
        tally(held).staysOnHeap()
            ? Optional.empty()
            : program(held).hold(model.type(), place, model.plan().steps(), isAwaited(held));
    return onDevice.orElseGet(() -> host.fields(place));
  }

  /** Returns whether blocks of other executors wait for the faces of a block. */
  private boolean isAwaited(HeldBlock held) {
    return model.plan().takers(held.block()).stream()
        .anyMatch(taker -> !places.executor(taker).equals(places.executor(held.block())));
  }

  /** Gives the faces of a block's state to some neighbours, which cannot read its cells here. */
  void give(HeldBlock held, int state, List<Integer> takers) throws InterruptedException {
    if (!takers.isEmpty()) {
      long start = System.nanoTime();
      faces.give(held, state, takers, tally(held));
      tally(held).gave(System.nanoTime() - start);
    }
  }

  /**
   * Fills the halo of a block.
   *
   * @param beside the neighbours that this process holds in the same state
   * @return whether all is there; the halo is of no use else
   */
  HaloFill fill(HeldBlock held, List<HeldBlock> beside) throws InterruptedException {
    long start = System.nanoTime();
    HaloFill halo = HaloFill.FULL;
    if (!held.coefficientsComplete()) {
      halo = faces.take(held, Schedule.COEFFICIENTS, beside, tally(held));
    }
    if (halo.isFull()) {
      halo = faces.take(held, held.state(), beside, tally(held));
    }
    long now = System.nanoTime();
    TakenFaces taken = held.attached(TakenFaces.class, TakenFaces::new);
    tally(held).filled(now - start, halo.isFull() ? taken.endWaiting(now) : 0);
    return halo;
  }

  /**
   * Takes faces of other executors that are there.
   *
   * @return after how many nanoseconds to look again; 0 if all of them are there
   */
  long fetch(HeldBlock held) {
    long start = System.nanoTime();
    long again = faces.takeEarly(held, tally(held));
    tally(held).filled(System.nanoTime() - start, 0);
    return again;
  }

  /**
   * Returns after how many nanoseconds faces should be looked for again that were not found; 0 if
   * they are missing.
   *
   * @param allRun whether the tasks of all blocks of this executor have begun
   */
  long waitNanos(HeldBlock held, int job, HaloFill halo, BooleanSupplier allRun) {
    if (!faces.mayCome(halo.missing())) {
      return 0;
    }
    TakenFaces taken = held.attached(TakenFaces.class, TakenFaces::new);
    long nanos =
        taken.waitNanos(
            job,
            held.state(),
            faces::areAllThere,
            () ->
                allRun.getAsBoolean()
                    && held.attached(PushedFaces.class, PushedFaces::new).areArriving());
    return nanos == 0 && halo.isUnseen() ? 1 : nanos; // to look at all of them before giving up
  }

  /** Returns the blocks that belong to an executor, as a preferred location. */
  IntStream blocksOf(String executor) {
    return IntStream.range(0, model.plan().blocks().count()).filter(block -> isOf(executor, block));
  }

  /** Returns whether a block is an executor's, as the driver says. */
  boolean isOf(String executor, int block) {
    return places.executor(block).equals(executor);
  }

  /** Waits until the log has all faces of a block. */
  void settle(HeldBlock held) throws InterruptedException {
    held.attached(GivenFaces.class, GivenFaces::new).settle(tally(held));
    held.attached(PushedFaces.class, PushedFaces::new).settle(tally(held));
  }

  /** Takes a superstep. */
  void step(HeldBlock held) {
    host.lift(held);
    int state = held.state();
    long first = schedule.stepsUpTo(state);
    int steps = schedule.stepsFrom(state);
    TaskProgram program = program(held);
    BlockTally tally = tally(held);
    long start = System.nanoTime();
    try {
      BlockSteps taken = held.attached(BlockSteps.class, () -> blockSteps(held));
      held.fields()
          .inMemory(
              fields -> {
                taken
                    .run(fields, first, steps, program::step)
                    .forEach(each -> tally.sample(new StepSamples(first, each)));
                if (isWatched(state)) {
                  look(held, fields, first + steps);
                }
              });
    } catch (StencilException e) {
      throw new StencilException(
          e.code(),
          "block %d of the grid, steps %d to %d: %s"
              .formatted(held.block(), first, first + steps, e.getMessage()),
          e);
    }
    tally.superstep(
        program.engine(),
        (long) held.fields().place().extended().cells() * steps,
        System.nanoTime() - start);
  }

  /** Notes cells that have begun to diverge. */
  private static void look(HeldBlock held, BlockFields fields, long steps) {
    BlockWatch watch = held.attached(BlockWatch.class, BlockWork::neverLoaded);
    tally(held).strays(watch.check(fields, steps));
  }

  private static BlockWatch neverLoaded() {
    throw new IllegalStateException("a block takes steps that was never loaded");
  }

  private BlockSteps blockSteps(HeldBlock held) {
    return new BlockSteps(
        model.program(),
        held.fields().place(),
        model.parameters(),
        model.sources(),
        model.receivers());
  }

  /** Returns whether this task has written cells for a checkpoint itself. */
  boolean hasWritten() {
    return writes;
  }

  /** Returns whether the cells of a block in its state are to be written, and are not yet. */
  boolean isToWrite(HeldBlock held) {
    return orders.checkpoint().sink() != null
        && held.state() == orders.checkpoint().state()
        && !held.writes().containsKey(held.state());
  }

  /** Does what is wanted of a block in its state, unless that was done before. */
  void reached(HeldBlock held) {
    int state = held.state();
    if (orders.mark().field() != Orders.NONE
        && state == orders.mark().since()
        && held.markedState() != state) {
      held.mark(orders.mark().field());
    }
    if (isToWrite(held)) {
      held.writes().clear();
      if (model.watch().isOn()) {
        look(held, held.fields(), schedule.stepsUpTo(state));
      }
      held.writes().put(state, write(held));
    }
  }

  /**
   * Writes a copy of the cells in the background, or now if the heap has no room for copies: steps
   * wait for it then, and for others that are copied beside the blocks.
   */
  private Future<Serializable> write(HeldBlock held) {
    long bytes = (long) held.fields().place().own().cells() * model.fields() * model.type().bytes();
    HeapShare heap = registry.heap();
    if (held.diskBytes() > 0 || !heap.takeCopy(bytes)) {
      writes = true;
      List<FutureTask<Serializable>> done = new ArrayList<>();
      Runnable work =
          () -> {
            done.add(writing(held, () -> {}));
            done.get(0).run();
          };
      heap.loads().use(bytes, work);
      return done.get(0);
    }
    boolean begun = false;
    try {
      FutureTask<Serializable> later = writing(held, () -> heap.giveCopy(bytes));
      registry.writers().execute(later);
      begun = true;
      return later;
    } finally {
      if (!begun) {
        heap.giveCopy(bytes);
      }
    }
  }

  /** Copies the cells; returns what writes them, and what is done then. */
  private FutureTask<Serializable> writing(HeldBlock held, Runnable after) {
    CheckpointSink sink = orders.checkpoint().sink();
    Box own = held.fields().place().own();
    BlockCells cells =
        new BlockCells(
            IntStream.range(0, model.fields())
                .mapToObj(field -> held.fields().cells(field, own))
                .toList());
    return new FutureTask<>(
        () -> {
          try {
            return sink.write(own, cells);
          } finally {
            after.run();
          }
        });
  }

  /** Returns whether a block that a device has failed with may begin again on the heap. */
  boolean isLeftToHost(HeldBlock held, StencilException failure) {
    String holder = held.fields() == null ? "" : held.fields().engine();
    if (holder.isEmpty() || !program(held).isLeftToHost(holder, failure)) {
      return false;
    }
    tally(held).stayOnHeap();
    return true;
  }

  /** Returns the largest change of the measured field, NaN if none is. */
  double change(HeldBlock held) {
    return orders.mark().field() == Orders.NONE
        ? Double.NaN
        : CellChange.largest(
            held.marked(), held.fields().cells(orders.mark().field(), held.fields().place().own()));
  }

  /** Returns how far the checkpoint is; waits until it is written if that is ordered. */
  Written written(HeldBlock held) throws InterruptedException {
    if (orders.checkpoint().sink() == null || held.state() < orders.checkpoint().state()) {
      return Written.at(Stage.NONE);
    }
    Future<Serializable> write = held.writes().get(orders.checkpoint().state());
    if (write == null) {
      return Written.at(Stage.MISSED);
    }
    if (!write.isDone() && !orders.checkpoint().await()) {
      return Written.at(Stage.PENDING);
    }
    try {
      return new Written(Stage.DONE, write.get());
    } catch (ExecutionException e) {
      held.writes().clear();
      throw AwaitedFailure.of(e);
    }
  }
}
