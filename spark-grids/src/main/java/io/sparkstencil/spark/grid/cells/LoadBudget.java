/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.cells;

/**
 * What first cells may take of a process's heap on their way to blocks, all tasks together. Safe
 * for many threads.
 */
public final class LoadBudget {
  private static final long LEAST_BYTES = 1L << 20;
  private static final int LEAST_CELLS = 1 << 12;
  private static final int MOST_CELLS = 1 << 19;

  /** The part of what blocks may have. */
  private static final int PART = 4;

  private final long bytes;
  private final int tasks;
  private long taken; // guarded by this
  private long mostTaken; // guarded by this

  /**
   * Creates a budget of which nothing is taken.
   *
   * @param tasks that run at once
   */
  public LoadBudget(long bytes, int tasks) {
    this.bytes = bytes;
    this.tasks = tasks;
  }

  /**
   * Returns a budget beside the blocks of a process.
   *
   * @param blocks the bytes of the heap that blocks may take
   * @param tasks that run at once
   */
  public static LoadBudget beside(long blocks, int tasks) {
    return new LoadBudget(Math.max(LEAST_BYTES, blocks / PART), tasks);
  }

  /**
   * Returns how many cells are read together, so that all tasks can read at once.
   *
   * @param cellBytes what a cell takes meanwhile
   */
  public int pieceCells(long cellBytes) {
    return (int) Math.max(LEAST_CELLS, Math.min(MOST_CELLS, bytes / tasks / cellBytes));
  }

  /** Does work that takes some bytes: at once if there is room, alone if it never has enough. */
  public void use(long needed, Runnable work) {
    take(needed);
    try {
      work.run();
    } finally {
      give(needed);
    }
  }

  /** Waits for others, which wait for nobody, even if the thread is interrupted. */
  private synchronized void take(long needed) {
    boolean interrupted = false;
    while (taken > 0 && taken + needed > bytes) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    taken += needed;
    mostTaken = Math.max(mostTaken, taken);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void give(long needed) {
    taken -= needed;
    notifyAll();
  }

  /** Returns the bytes that may be taken at once. */
  public long bytes() {
    return bytes;
  }

  /** Returns the most bytes that were ever taken at once. */
  public synchronized long mostTaken() {
    return mostTaken;
  }
}
