/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.grid.blocks.BlockRegistry.Entry;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.blocks.HeldBlock.Use;
import io.sparkstencil.spark.grid.blocks.RunBlocks;
import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.BlockResult.Stage;
import io.sparkstencil.spark.grid.tasks.BlockResult.Written;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Brings the block of a task to its target, and others of the same executor as far as the block
 * needs them.
 */
final class SharedWork {
  private final BlockWork work;
  private final NextMove next;
  private final Orders orders;
  private final int job;
  private final RunBlocks run;
  private final HeldBlock own;
  private final String here;
  private final long began = System.nanoTime();

  /**
   * Prepares a task.
   *
   * @param here the executor, as a preferred location
   */
  SharedWork(BlockWork work, NextMove next, Orders orders, int job, Entry entry, String here) {
    this.work = work;
    this.next = next;
    this.orders = orders;
    this.job = job;
    this.run = entry.run();
    this.own = entry.block();
    this.here = here;
  }

  /**
   * Works until the block is where it should be, or cannot come there now.
   *
   * @param source the first cells of the block
   * @param checkpoint ends the task if Spark wants that
   */
  BlockResult bring(Supplier<Iterator<FirstCells>> source, Runnable checkpoint)
      throws InterruptedException {
    run.dropAbandoned(job, block -> work.isOf(here, block));
    while (true) {
      checkpoint.run();
      Optional<BlockResult> result = Cancellation.await(() -> perform(choose(), source));
      if (result.isPresent()) {
        return result.get();
      }
    }
  }

  private BlockMove choose() throws InterruptedException {
    Optional<BlockMove> move = run.choose(next::choose, next::retryNanos);
    return move.isPresent() ? move.get() : run.choose(next::report).orElseThrow();
  }

  /** Does what was chosen. Where a device fails with a block, it begins again on the heap. */
  private Optional<BlockResult> perform(BlockMove move, Supplier<Iterator<FirstCells>> source)
      throws InterruptedException {
    HeldBlock held = move.block();
    // what a failure leaves half done is of no use; but a halo on the heap can be filled again
    boolean again = move.use() == Use.FILLING && held.deviceBytes() == 0;
    Runnable outcome = again ? () -> {} : held::forget;
    try {
      BlockResult result = null;
      Runnable noted = () -> {};
      switch (move.kind()) {
        case LOAD -> load(held, source.get());
        case FETCH -> noted = fetch(held);
        case FILL -> noted = fill(held, move.read());
        case STEP -> step(held, move.late());
        case REPORT -> result = report();
      }
      outcome = noted;
      return Optional.ofNullable(result);
    } catch (StencilException e) {
      if (!work.isLeftToHost(held, e)) {
        throw e;
      }
      return Optional.empty();
    } finally {
      run.finish(move, outcome);
    }
  }

  private void load(HeldBlock held, Iterator<FirstCells> cells) throws InterruptedException {
    FirstCells first = cells.next();
    if (first.isGone()) {
      run.update(
          () -> {
            held.stickIn(job);
            return true;
          });
      return;
    }
    work.load(held, first, cells);
    int state = orders.schedule().first();
    List<Integer> takers =
        run.update(
            () -> {
              held.loadedIn(job);
              return reach(held, state);
            });
    work.give(held, Schedule.COEFFICIENTS, takers);
    work.give(held, state, takers);
  }

  /** Takes faces that are there; returns what is to be noted of the block then. */
  private Runnable fetch(HeldBlock held) {
    long nanos = work.fetch(held);
    long next = System.nanoTime() + nanos;
    return nanos == 0 ? held::fetch : () -> held.fetchLater(next);
  }

  /** Fills a halo; returns what is to be noted of the block then. */
  private Runnable fill(HeldBlock held, List<HeldBlock> beside) throws InterruptedException {
    HaloFill halo = work.fill(held, beside);
    BlockWork.tally(held).missing(halo.missing());
    if (halo.isFull()) {
      return held::fill;
    }
    long nanos = work.waitNanos(held, job, halo, this::allRun);
    return nanos == 0 ? () -> held.stickIn(job) : () -> held.waitUntil(System.nanoTime() + nanos);
  }

  /** Returns whether no task of this executor waits for a core. */
  private boolean allRun() {
    return run.update(() -> haveEntered(work.blocksOf(here).filter(orders::awaits)));
  }

  /** Returns whether the tasks of some blocks have begun. Needs the monitor. */
  private boolean haveEntered(IntStream blocks) {
    return blocks.allMatch(block -> run.hasEntered(block, job));
  }

  private void step(HeldBlock held, List<Integer> late) throws InterruptedException {
    int state = held.state();
    work.reached(held);
    work.give(held, Schedule.COEFFICIENTS, late); // those that have left the executor had them here
    work.give(held, state, late);
    work.step(held);
    work.give(held, state + 1, reach(held, state + 1));
    yieldCore();
  }

  /**
   * Ends the job in this executor if this task has kept its core for long to write cells, and
   * blocks of the executor wait for a core: Spark would take them elsewhere. They begin here in the
   * next job, and this one goes on there.
   */
  private void yieldCore() {
    if (work.hasWritten() && System.nanoTime() - began >= orders.checkpoint().mostNanos()) {
      run.update(
          () -> {
            if (!haveEntered(work.blocksOf(here))) {
              run.endJob(job);
            }
            return true;
          });
    }
  }

  /** Returns whether a block is to be written in a later job, as this one is over here. */
  private boolean writesLater() {
    return work.isToWrite(own) && run.update(() -> run.hasEndedJob(job));
  }

  /** Notes the state of a block; returns the neighbours to which it gives its faces. */
  private List<Integer> reach(HeldBlock held, int state) {
    return run.update(
        () -> {
          held.reach(state);
          List<Integer> takers = next.takers(held);
          held.givenTo().addAll(takers);
          return takers;
        });
  }

  private BlockResult report() throws InterruptedException {
    work.settle(own);
    boolean there = !own.isEmpty() && own.state() == orders.target() && !own.isClosed();
    boolean later = there && writesLater();
    if (there && !later) {
      work.reached(own);
      yieldCore();
    }
    Serializable value =
        there && orders.action() != null ? orders.action().apply(own.fields()) : null;
    double change = there ? work.change(own) : Double.NaN;
    Written written =
        later ? Written.at(Stage.PENDING) : there ? work.written(own) : Written.at(Stage.NONE);
    if (there) {
      own.tellSizes();
    }
    BlockTally tally = BlockWork.tally(own);
    if (run.update(() -> run.job() == job)) { // else the tally is for a later task
      own.detach(BlockTally.class);
    }
    return new BlockResult(
        own.block(),
        here,
        own.wanted().number(),
        own.state(),
        tally.isLoaded(),
        tally.supersteps(),
        own.isStuckIn(job) ? tally.missing() : List.of(),
        tally.samples(),
        change,
        value,
        written,
        tally.cost(own, System.nanoTime() - began),
        tally.strays());
  }
}
