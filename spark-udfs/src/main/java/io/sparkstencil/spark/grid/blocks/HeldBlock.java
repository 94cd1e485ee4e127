/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import io.sparkstencil.grid.BlockFields;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A block that a process holds: its cells after a number of supersteps, on the heap or on a device.
 * It is changed in place, by the thread that has its lock.
 */
public final class HeldBlock implements AutoCloseable {
  private static final int NO_STATE = -1;

  private final ReentrantLock lock = new ReentrantLock();
  private BlockFields fields;
  private volatile long heapBytes;
  private volatile long deviceBytes;
  private volatile boolean closed;
  private int state = NO_STATE;
  private boolean coefficientsComplete;
  private int markedState = NO_STATE;
  private Object marked;
  private Object program;
  private volatile BlockMark wanted;
  private final Map<Integer, Future<?>> writes = new ConcurrentHashMap<>();

  /**
   * Waits for the lock, which whoever calls the methods below has, but for {@link #close} and those
   * that return bytes.
   */
  public void lock() throws InterruptedException {
    lock.lockInterruptibly();
  }

  /** Waits for the lock for some time; returns whether it was given. */
  boolean tryLock(long millis) throws InterruptedException {
    return lock.tryLock(millis, TimeUnit.MILLISECONDS);
  }

  /** Gives the lock back. */
  public void unlock() {
    lock.unlock();
    if (closed) {
      dropIfFree(); // whoever closed it in the meantime has not waited for the lock
    }
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

  /** Forgets the cells for good: at once, or when the lock is given back. */
  @Override
  public void close() {
    closed = true;
    dropIfFree();
  }

  private void dropIfFree() {
    if (lock.tryLock()) {
      try {
        drop();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns whether the block was closed; what is loaded into it is not kept. */
  boolean isClosed() {
    return closed;
  }

  /** Takes cells, which it closes, in place of those before. */
  public void load(BlockFields cells, int newState) {
    drop();
    fields = cells;
    heapBytes = cells.heapBytes();
    deviceBytes = cells.deviceBytes();
    state = newState;
  }

  /** Forgets the cells. */
  public void drop() {
    BlockFields dropped = fields;
    fields = null;
    heapBytes = 0;
    deviceBytes = 0;
    if (dropped != null) {
      dropped.close();
    }
    state = NO_STATE;
    coefficientsComplete = false;
    markedState = NO_STATE;
    marked = null;
  }

  /** Returns whether there are no cells. */
  public boolean isEmpty() {
    return fields == null;
  }

  /** Returns the cells. */
  public BlockFields fields() {
    return fields;
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
    marked = fields.cells(field, fields.place().own());
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

  /** Returns the bytes of the cells on the heap. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Returns the bytes of the cells on a device. */
  public long deviceBytes() {
    return deviceBytes;
  }
}
