/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.catalyst.interop.StorageRdd;
import io.sparkstencil.spark.catalyst.interop.Uninterrupted;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.BlockAction;
import io.sparkstencil.spark.grid.tasks.BlockResult;
import io.sparkstencil.spark.grid.tasks.BlockResult.Stage;
import io.sparkstencil.spark.grid.tasks.Orders;
import io.sparkstencil.spark.grid.tasks.Schedule;
import io.sparkstencil.spark.grid.tasks.SnapshotAction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SerializableWritable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Blocks on their way through supersteps. A run goes in one direction; a state that is past is
 * reached by another run. If a job fails or is cancelled, the run is closed, as nobody knows which
 * blocks have gone on. Safe for many threads, which take turns.
 */
public final class GridRun implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GridRun.class.getName());
  private static final long LATE_SECONDS = 5;

  /** Hears how far a run is. */
  @FunctionalInterface
  public interface Progress {
    /** Nobody hears. */
    Progress NONE = step -> {};

    /**
     * A superstep is done.
     *
     * @param step the steps that the grid has taken
     */
    void at(long step);
  }

  private final GridSpace space;
  private final StorageRdd kept;
  private final RunSchedule schedule;
  private final BlockJobs jobs;
  private final List<Integer> all;
  private final FaceBudget budget;
  private final JobPace pace;
  private JavaRDD<FirstCells> source;
  private boolean begun;
  private boolean closed;

  /** The state of the last checkpoint, complete or not. */
  private int checkpointState;

  private CheckpointPlan.Checkpoint writing; // null for none

  GridRun(GridSpace space, GridSource source) {
    this.space = space;
    String name = "grid of %s cells".formatted(space.grid().plan().blocks().sizes());
    kept = StorageRdd.of(space.context(), name, space.blocks());
    this.source = source.blocks();
    schedule = new RunSchedule(space.context(), source.step());
    budget = new FaceBudget(space.grid(), space.grid().conf().get(StencilOptions.GRID_LOG_BYTES));
    pace = new JobPace(PlacedRdd.waitNanos(space.context()));
    jobs = new BlockJobs(space, kept, schedule, budget, pace);
    all = IntStream.range(0, space.blocks()).boxed().toList();
  }

  /** Returns the steps that the grid has taken in this run. */
  public synchronized long steps() {
    return schedule.stepsUpToLast();
  }

  /** Returns the executors of the blocks. */
  public synchronized List<String> locations() {
    return jobs.locations();
  }

  /** Takes some steps. */
  public synchronized void step(long steps, Progress progress) {
    orClosed(
        () -> {
          advance(steps, progress, Orders.NONE, schedule.last());
          return finishCheckpoint();
        });
  }

  /**
   * Takes some steps and returns the largest change of a cell from before them to after them.
   *
   * @param field the index of the field
   */
  public synchronized double stepAndMeasure(int field, long steps, Progress progress) {
    return orClosed(() -> advance(steps, progress, field, schedule.last()));
  }

  /** Completes a checkpoint that is being written. */
  public synchronized void settle() {
    orClosed(this::finishCheckpoint);
  }

  /**
   * Returns what is wanted of some blocks in the last state.
   *
   * @param blocks their numbers
   */
  public synchronized List<Serializable> collect(BlockAction action, List<Integer> blocks) {
    return orClosed(
        () -> {
          begin();
          return jobs
              .perform(
                  source, Orders.to(schedule.snapshot(), schedule.last()).doing(action), blocks)
              .stream()
              .map(BlockResult::value)
              .toList();
        });
  }

  /**
   * Returns a copy of the cells of all blocks, kept on executors until the grid is closed. A copy
   * that is lost with its executor is not made again, as the blocks have gone on.
   */
  public synchronized JavaRDD<FirstCells> snapshot() {
    JavaRDD<SerializableWritable<Packed<FirstCells>>> cells =
        Packed.kept(
            PlacedRdd.of(
                source, jobs.locations(), (context, block, first) -> lost(block), FirstCells.class),
            StorageLevel.MEMORY_AND_DISK());
    space.keep(cells);
    collect(new SnapshotAction(cells.id(), space.grid().fields(), false), all);
    return cells.map(Packed::open);
  }

  private static FirstCells lost(int block) {
    throw new BadDataException(
        "the copy of block %d of a grid was lost with its executor; take the dataset of the grid again"
            .formatted(block));
  }

  private interface RunAction<T> {
    T run();
  }

  private <T> T orClosed(RunAction<T> work) {
    if (closed) {
      throw new IllegalStateException("the grid is closed; create it again to use it");
    }
    boolean done = false;
    try {
      T result = work.run();
      done = true;
      return result;
    } catch (Exception e) {
      if (e instanceof InterruptedException interrupted) { // Spark declares none
        throw BlockJobs.interrupted(interrupted);
      }
      throw e;
    } finally {
      if (!done) {
        // tasks that have ended before they heard of it may have put marks and faces meanwhile
        CompletableFuture.delayedExecutor(LATE_SECONDS, TimeUnit.SECONDS).execute(this::remove);
        close();
      }
    }
  }

  /** Has all blocks begin at the source, so that each finds the faces of the others. */
  private void begin() {
    if (!begun && all.size() > 1) {
      jobs.perform(source, Orders.to(schedule.snapshot(), schedule.last()), all);
    }
    begun = true;
  }

  private double advance(long steps, Progress progress, int field, int since) {
    begin();
    int perSuperstep = space.grid().plan().steps();
    double change = 0;
    for (long left = steps; left > 0; ) {
      space.requireOpen(); // another thread may have closed the grid
      if (writing == null && (field == Orders.NONE || schedule.last() == since)) {
        jobs.spread(source, (left - 1) / perSuperstep + 1);
      }
      int before = schedule.last();
      int taking = addJob(left);
      left -= taking;
      Orders orders = Orders.to(schedule.snapshot(), schedule.last());
      if (left == 0) {
        orders = orders.watching(schedule.last());
      }
      if (field != Orders.NONE) {
        orders = orders.measuring(field, since);
      }
      int load = jobs.mostBlocks();
      long start = System.nanoTime();
      List<BlockResult> results = jobs.perform(source, checkpointing(orders), all);
      space.watch().decide(); // before a checkpoint takes the place of an earlier one
      long nanos = System.nanoTime() - start;
      pace.took(schedule.last() - before, nanos, load);
      space.counters().took(taking, nanos);
      budget.took(schedule.last() - before, schedule.logsAlikeAfter(before));
      change =
          results.stream()
              .map(BlockResult::change)
              .max(Comparator.naturalOrder())
              .orElse(Double.NaN);
      Schedule taken = orders.schedule();
      afterWriting(results, field == Orders.NONE ? schedule.last() : since);
      long step = taken.stepsUpTo(before);
      for (int state = before; state < taken.supersteps().last(); state++) {
        step += taken.stepsFrom(state);
        progress.at(step);
      }
    }
    return change;
  }

  /** Adds the supersteps of the next job; returns how many steps they have. */
  private int addJob(long left) {
    int perSuperstep = space.grid().plan().steps();
    List<Integer> supersteps = new ArrayList<>();
    int steps = 0;
    for (int i = supersteps(); i > 0 && steps < left; i--) {
      int count = (int) Math.min(left - steps, perSuperstep);
      supersteps.add(count);
      steps += count;
    }
    makeRoom(supersteps.size());
    schedule.add(supersteps);
    if (writing == null && space.checkpoints().isDue(schedule.last() - checkpointState)) {
      beginCheckpoint();
    }
    return steps;
  }

  /** Gives faces up that all blocks have read, if there is no room for those of a job beside. */
  private void makeRoom(int supersteps) {
    if (schedule.logsNothing() || budget.isExceededBy(supersteps)) {
      schedule.giveUpBefore(schedule.last());
      budget.removedBefore(schedule.last());
    }
  }

  /** Returns how many supersteps the next job takes; the faces of two jobs must have room. */
  private int supersteps() {
    int kept = budget.states(jobs.locations(), schedule.keepsAll()) / 2;
    int most = Math.min(jobs.mostSupersteps(), Math.min(pace.supersteps(), Math.max(1, kept)));
    return space.checkpoints().isOn() && writing == null
        ? Math.max(
            1, Math.min(most, checkpointState + space.checkpoints().every() - schedule.last()))
        : most;
  }

  /** Adds to orders what a checkpoint needs. */
  private Orders checkpointing(Orders orders) {
    return writing == null ? orders : write(orders, false);
  }

  private Orders write(Orders orders, boolean await) {
    return orders.writing(checkpointState, writing.sink(), await, pace.shortNanos());
  }

  private void beginCheckpoint() {
    long step = schedule.stepsUpToLast();
    if (!space.claimCheckpoint(step)) {
      return;
    }
    try {
      writing = space.checkpoints().files().begin(step);
      checkpointState = schedule.last();
      schedule.resume();
    } finally {
      if (writing == null) {
        space.releaseCheckpoint();
      }
    }
  }

  /**
   * Completes the checkpoint if all blocks are written, and begins at it from now on.
   *
   * @param mark the earliest state that blocks may have to come back to
   */
  private boolean afterWriting(List<BlockResult> results, int mark) {
    if (writing == null
        || results.stream().anyMatch(each -> each.checkpoint().stage() == Stage.PENDING)) {
      return false;
    }
    if (results.stream().anyMatch(each -> each.checkpoint().stage() != Stage.DONE)) {
      // a block that was lost meanwhile is past the state: the next checkpoint will do
      abandon();
      return false;
    }
    if (checkpointState > mark) {
      return false;
    }
    long step = schedule.snapshot().stepsUpTo(checkpointState);
    writing.commit(
        results.stream().map(each -> each.checkpoint().receipt()).toList(),
        space.samples().seriesUpTo(step));
    space.counters().checkpoint();
    source = writing.blocks();
    schedule.beginAt(checkpointState);
    budget.removedBefore(checkpointState);
    space.promote(new GridSource(step, source));
    writing = null;
    space.releaseCheckpoint();
    return true;
  }

  private void abandon() {
    CheckpointPlan.Checkpoint abandoned = writing;
    writing = null;
    schedule.resumeNot();
    try {
      abandoned.abort();
    } catch (StencilException e) {
      LOG.log(System.Logger.Level.WARNING, "a checkpoint cannot be removed: {0}", e.getMessage());
    } finally {
      space.releaseCheckpoint();
    }
  }

  /**
   * Waits for a checkpoint that is being written; one that was lost is written again. Where tasks
   * write the cells of their blocks themselves, a job may end when one block is written.
   */
  private boolean finishCheckpoint() {
    int lost = 0;
    while (writing != null) {
      if (lost > 2) {
        abandon();
        throw new StencilException(
            ErrorCode.BAD_DATA,
            "a checkpoint could not be written; see the log of the executors, and check the"
                + " folder");
      }
      Orders orders = write(Orders.to(schedule.snapshot(), schedule.last()), true);
      if (!afterWriting(jobs.perform(source, orders, all), schedule.last()) && writing == null) {
        lost++;
        beginCheckpoint();
      }
    }
    return true;
  }

  /** Removes the blocks and faces of the run from all executors. Closing again does nothing. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Uninterrupted.run(
        () -> {
          if (writing != null) {
            abandon();
          }
          remove();
          space.closed(this);
        });
  }

  private void remove() {
    kept.remove();
    schedule.close();
  }
}
