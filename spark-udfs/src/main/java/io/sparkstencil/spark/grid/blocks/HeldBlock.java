/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import io.sparkstencil.grid.BlockArrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A block that a process holds: its cells after a number of supersteps. It is changed in place, by
 * the thread that has its lock.
 */
public final class HeldBlock {
  private static final int NO_STATE = -1;

  private final ReentrantLock lock = new ReentrantLock();
  private BlockArrays arrays;
  private volatile long bytes;
  private int state = NO_STATE;
  private boolean coefficientsComplete;
  private int markedState = NO_STATE;
  private Object marked;
  private Object program;
  private volatile BlockMark wanted;
  private final Map<Integer, Future<?>> writes = new ConcurrentHashMap<>();

  /** Waits for the lock, which whoever calls the methods below has, but for {@link #bytes}. */
  public void lock() throws InterruptedException {
    lock.lockInterruptibly();
  }

  /** Gives the lock back. */
  public void unlock() {
    lock.unlock();
  }

  /** Marks the block as wanted, unless it is. Called by the registry. */
  void want(Supplier<BlockMark> newMark) {
    if (!isWanted()) {
      wanted = newMark.get();
    }
  }

  /** Returns whether the block is still wanted. Called by the registry. */
  boolean isWanted() {
    return wanted != null && wanted.isThere();
  }

  /** Returns what says that the block is wanted. Needs no lock. */
  public BlockMark wanted() {
    return wanted;
  }

  /** Takes cells in place of those before. */
  public void load(BlockArrays cells, int newState) {
    drop();
    arrays = cells;
    bytes = cells.bytes();
    state = newState;
  }

  /** Forgets the cells. */
  public void drop() {
    arrays = null;
    bytes = 0;
    state = NO_STATE;
    coefficientsComplete = false;
    markedState = NO_STATE;
    marked = null;
  }

  /** Returns whether there are no cells. */
  public boolean isEmpty() {
    return arrays == null;
  }

  /** Returns the cells. */
  public BlockArrays arrays() {
    return arrays;
  }

  /** Returns the supersteps that the cells have taken. */
  public int state() {
    return state;
  }

  /** Counts a superstep. */
  public void advance() {
    state++;
  }

  /** Returns whether the halos of fields that are never updated are filled. */
  public boolean coefficientsComplete() {
    return coefficientsComplete;
  }

  /** Notes that the halos of fields that are never updated are filled. */
  public void completeCoefficients() {
    coefficientsComplete = true;
  }

  /** Keeps a copy of a field's cells, to compare later ones with. */
  public void mark(int field) {
    marked = arrays.cells(field, arrays.place().own());
    markedState = state;
  }

  /** Returns the state of the copy, -1 for none. */
  public int markedState() {
    return markedState;
  }

  /** Returns the copy. */
  public Object marked() {
    return marked;
  }

  /** Returns the compiled program that a task has left here, or a new one that is kept. */
  public <P> P program(Class<P> type, Supplier<P> maker) {
    if (program == null) {
      program = maker.get();
    }
    return type.cast(program);
  }

  /** Returns the writing of checkpoints, by their states. */
  public Map<Integer, Future<?>> writes() {
    return writes;
  }

  /** Returns the bytes of the cells. */
  public long bytes() {
    return bytes;
  }
}
