/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import io.sparkstencil.spark.grid.blocks.HeldBlock.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The blocks of one run that a process holds. Threads of several tasks work on them together: each
 * chooses, under the monitor of this, what to do with which block, does it without the monitor, and
 * says what has become of it. Nobody waits for a block that nobody works on.
 */
public final class RunBlocks {
  private static final System.Logger LOG = System.getLogger(RunBlocks.class.getName());

  /**
   * The jobs without a task here after which a block is abandoned: fewer than may fail in a row.
   */
  private static final int ABANDONED_JOBS = 5;

  private final Map<Integer, HeldBlock> blocks = new HashMap<>();
  private final Map<Integer, Integer> entered = new HashMap<>(); // the last jobs, by blocks
  private int job = -1;
  private int endedJob = -1;
  private int inUse;

  RunBlocks() {}

  /**
   * Returns a block, an empty one if the process does not hold it. It is marked as wanted.
   *
   * @param forJob the job of the task; jobs of a run are numbered in their order
   * @param newMark gives a mark to a block whose mark is gone, or that is new
   */
  public synchronized HeldBlock enter(int block, int forJob, Supplier<BlockMark> newMark) {
    job = Math.max(job, forJob);
    HeldBlock held = blocks.computeIfAbsent(block, same -> new HeldBlock(this, same));
    held.want(newMark);
    entered.merge(block, forJob, Math::max);
    return held;
  }

  /** Returns whether the task of a block has begun in a job. Needs the monitor. */
  public boolean hasEntered(int block, int inJob) {
    return entered.getOrDefault(block, -1) >= inJob;
  }

  /** Ends a job here early: its tasks report how far they are. Needs the monitor. */
  public void endJob(int ending) {
    endedJob = ending;
  }

  /** Returns whether a job was ended early. Needs the monitor. */
  public boolean hasEndedJob(int which) {
    return endedJob == which;
  }

  /** Returns the last job of the run that has come here. Needs the monitor. */
  public int job() {
    return job;
  }

  /** Returns a block, null if the process does not hold it. Needs the monitor. */
  public HeldBlock block(int block) {
    return blocks.get(block);
  }

  /** Returns a block, if the process holds it. */
  synchronized Optional<HeldBlock> find(int block) {
    return Optional.ofNullable(blocks.get(block));
  }

  /** Returns all blocks. Needs the monitor. */
  public Collection<HeldBlock> all() {
    return blocks.values();
  }

  /**
   * Returns what a thread chooses to do, which it must {@link #finish}; waits while there is
   * nothing to choose, and others are at work.
   *
   * @param choice chooses under the monitor
   * @return nothing if there is nothing to choose, and nobody at work
   */
  public <M extends BlockUse> Optional<M> choose(Supplier<Optional<M>> choice)
      throws InterruptedException {
    return choose(choice, () -> 0);
  }

  /**
   * Returns what a thread chooses to do, as {@link #choose(Supplier)} does.
   *
   * @param retryNanos says, under the monitor, after how long there may be something to choose
   *     although nobody is at work; 0 if never
   */
  public synchronized <M extends BlockUse> Optional<M> choose(
      Supplier<Optional<M>> choice, LongSupplier retryNanos) throws InterruptedException {
    while (true) {
      Optional<M> chosen = choice.get();
      if (chosen.isPresent()) {
        chosen.get().block().occupy(chosen.get().use());
        chosen.get().read().forEach(HeldBlock::addReader);
        inUse++;
        return chosen;
      }
      long nanos = retryNanos.getAsLong();
      if (inUse == 0 && nanos == 0) {
        return Optional.empty();
      }
      wait(nanos == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos - 1) + 1);
    }
  }

  /** What a thread does with a block. */
  public interface BlockUse {
    /** Returns the block. */
    HeldBlock block();

    /** Returns how it is used. */
    Use use();

    /** Returns the blocks whose cells are read. */
    List<HeldBlock> read();
  }

  /** Has a block look at once for faces that it waits for, as some have come. */
  synchronized void hurry(HeldBlock held) {
    held.hear();
    notifyAll();
  }

  /** Changes, under the monitor, what others see of a block that the caller uses. */
  public synchronized <T> T update(Supplier<T> update) {
    return update.get();
  }

  /**
   * Ends what was chosen.
   *
   * @param outcome says what has become of the block, under the monitor
   */
  public synchronized void finish(BlockUse done, Runnable outcome) {
    inUse--;
    outcome.run();
    done.read().forEach(HeldBlock::removeReader);
    done.block().release();
    notifyAll();
  }

  /**
   * Forgets blocks that are elsewhere, as the driver says, and have had no task here for some jobs:
   * tasks have made them whose results it never got, so that nobody brings them on, and their
   * neighbours would wait for them. Others may come back, where Spark misplaces tasks.
   *
   * @param belongs tells of a block whether it is here, as the driver says
   */
  public synchronized void dropAbandoned(int inJob, IntPredicate belongs) {
    if (inJob == job) {
      blocks.values().stream()
          .filter(held -> !belongs.test(held.block()))
          .filter(held -> !hasEntered(held.block(), inJob - ABANDONED_JOBS))
          .toList()
          .forEach(this::withdraw);
    }
  }

  /** Forgets a block, and removes its mark. */
  public synchronized void withdraw(HeldBlock held) {
    blocks.remove(held.block(), held);
    held.close();
    held.wanted().remove();
    notifyAll();
  }

  /** Forgets the blocks whose marks are gone; returns whether there are others. */
  synchronized boolean sweep() {
    for (HeldBlock held : List.copyOf(blocks.values())) {
      try {
        if (!held.isWanted()) {
          blocks.remove(held.block());
          held.close();
          notifyAll();
        }
      } catch (Exception e) { // Spark declares none; the others are swept all the same
        LOG.log(
            System.Logger.Level.WARNING,
            "block {0} was not given back: {1}",
            Integer.toString(held.block()),
            e);
      }
    }
    return !blocks.isEmpty();
  }

  /**
   * Forgets all blocks.
   *
   * @return those that threads work on, which forget their cells when they are done
   */
  synchronized List<HeldBlock> close() {
    List<HeldBlock> all = new ArrayList<>(blocks.values());
    blocks.clear();
    all.forEach(HeldBlock::close);
    notifyAll();
    return all.stream().filter(held -> !held.isIdle()).toList();
  }

  /** Waits until nobody uses a block; returns whether that came in time. */
  synchronized void await(HeldBlock held, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; left > 0 && !held.isIdle(); ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }

  synchronized int count() {
    return blocks.size();
  }

  synchronized List<HeldBlock> copy() {
    return List.copyOf(blocks.values());
  }
}
