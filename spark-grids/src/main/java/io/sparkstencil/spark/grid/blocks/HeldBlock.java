/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import io.sparkstencil.grid.BlockFields;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * A block that a process holds: its cells after a number of supersteps, on the heap or on a device.
 * It is changed in place, by one thread at a time.
 *
 * <p>What threads decide by is guarded by the monitor of {@link RunBlocks}: who uses the block, its
 * state, whether its halo is filled, and whether it is closed. All else belongs to the thread that
 * uses it.
 */
public final class HeldBlock {
  /** What a thread does with the block. */
  public enum Use {
    /** Nobody does anything. */
    NONE,
    /** Its halo is being filled; its own cells stay as they are. */
    FILLING,
    /** Anything may change, or go to memory of its own. */
    CHANGING
  }

  /** What a task leaves at a block that is of no use without its cells. */
  public interface OfCells {
    /** The cells are gone. */
    void cellsAreGone();
  }

  private static final System.Logger LOG = System.getLogger(HeldBlock.class.getName());
  private static final int NO_STATE = -1;

  private final RunBlocks run;
  private final int block;
  private volatile BlockFields fields;
  private volatile BlockMark wanted;
  private Use use = Use.NONE;
  private int readers;
  private boolean closed;
  private boolean forgotten;
  private int state = NO_STATE;
  private int filledState = NO_STATE;
  private int fetchedState = NO_STATE;
  private long nextFetch; // a moment
  private List<Object> toldSizes = List.of(); // of which mark
  private int loadingJob = NO_STATE;
  private int missingJob = NO_STATE;
  private boolean coefficientsComplete;
  private boolean waiting;
  private boolean heard; // of a face, since its halo began to be filled
  private long retryNanos;
  private int markedState = NO_STATE;
  private Supplier<Object> marked;
  private final Set<Integer> givenTo = new HashSet<>();
  private final Map<Class<?>, Object> attached = new ConcurrentHashMap<>();
  private final Map<Integer, Future<Serializable>> writes = new HashMap<>();

  HeldBlock(RunBlocks run, int block) {
    this.run = run;
    this.block = block;
  }

  /** Returns the number of the block. */
  public int block() {
    return block;
  }

  /** Marks the block as wanted, unless it is. */
  void want(Supplier<BlockMark> newMark) {
    if (!isWanted()) {
      wanted = newMark.get();
    }
  }

  /** Returns whether the block is still wanted. */
  boolean isWanted() {
    return wanted != null && wanted.isThere();
  }

  /** Returns what says that the block is wanted. Needs no monitor. */
  public BlockMark wanted() {
    return wanted;
  }

  /** Says what the block takes, where that has changed. */
  public void tellSizes() {
    List<Object> now = List.of(wanted, heapBytes(), deviceBytes(), diskBytes());
    if (!now.equals(toldSizes)) {
      toldSizes = now;
      wanted.tellSizes(heapBytes(), deviceBytes(), diskBytes());
    }
  }

  /** Returns what is being done with the block. */
  public Use use() {
    return use;
  }

  /** Returns whether nobody uses the block or reads its cells. */
  public boolean isIdle() {
    return use == Use.NONE && readers == 0;
  }

  void occupy(Use newUse) {
    heard = false;
    use = newUse;
  }

  void release() {
    use = Use.NONE;
    freeIfForgotten();
  }

  void addReader() {
    readers++;
  }

  void removeReader() {
    readers--;
    freeIfForgotten();
  }

  /** Forgets the cells for good: at once, or when nobody uses them any more. */
  void close() {
    closed = true;
    forget();
  }

  /** Forgets the cells: at once, or when nobody uses them any more. */
  public void forget() {
    forgotten = true;
    reach(NO_STATE);
    freeIfForgotten();
  }

  private void freeIfForgotten() {
    if (forgotten && isIdle()) {
      free();
    }
  }

  /** Returns whether the block was closed; what is loaded into it is not kept. */
  public boolean isClosed() {
    return closed;
  }

  /** Takes cells, which it closes, in place of those before; their state is not known yet. */
  public void load(BlockFields cells) {
    free();
    fields = cells;
    forgotten = closed;
  }

  /**
   * Takes other memory with the same cells, which it closes, in place of that before. What is
   * attached stays.
   */
  public void move(BlockFields cells) {
    BlockFields before = fields;
    fields = cells;
    before.close();
  }

  /** Gives the memory of the cells back. */
  public void free() {
    BlockFields freed = fields;
    fields = null;
    if (freed != null) {
      for (Object left : attached.values()) {
        if (left instanceof OfCells user) {
          tell(user);
        }
      }
      freed.close();
    }
    filledState = NO_STATE;
    fetchedState = NO_STATE;
    coefficientsComplete = false;
    markedState = NO_STATE;
    marked = null;
  }

  private void tell(OfCells user) {
    try {
      user.cellsAreGone();
    } catch (Exception e) { // Spark declares none; memory is given back all the same
      LOG.log(
          System.Logger.Level.WARNING,
          "what belongs to the cells of block {0} was not given back: {1}",
          Integer.toString(block),
          e);
    }
  }

  /** Returns whether there are no cells of a known state. */
  public boolean isEmpty() {
    return state == NO_STATE;
  }

  /** Returns the cells. */
  public BlockFields fields() {
    return fields;
  }

  /** Returns the supersteps that the cells have taken. */
  public int state() {
    return state;
  }

  /** Sets the supersteps that the cells have taken. */
  public void reach(int newState) {
    state = newState;
    nextFetch = System.nanoTime();
    waiting = false;
    givenTo.clear();
  }

  /** Returns whether the halo has the neighbours' cells of the block's state. */
  public boolean isFilled() {
    return filledState == state && coefficientsComplete;
  }

  /** Notes that the halo has the neighbours' cells of the block's state. */
  public void fill() {
    filledState = state;
    waiting = false;
    coefficientsComplete = true;
  }

  /** Returns whether the halo has the faces of other executors, though it need not be filled. */
  public boolean isFetched() {
    return fetchedState == state;
  }

  /** Notes that the halo has the faces of other executors. */
  public void fetch() {
    fetchedState = state;
  }

  /** Notes that some of them are not there yet, and when to look for them again. */
  public void fetchLater(long nanoTime) {
    nextFetch = heard ? System.nanoTime() : nanoTime;
  }

  /** Returns after how long to look for faces of other executors; 0 or less for now. */
  public long fetchNanos() {
    return nextFetch - System.nanoTime();
  }

  /** Returns whether the halos of fields that are never updated are filled. */
  public boolean coefficientsComplete() {
    return coefficientsComplete;
  }

  /** Returns the job in which the block was loaded last, -1 for none. */
  public int loadingJob() {
    return loadingJob;
  }

  /** Notes in which job the block was loaded. */
  public void loadedIn(int job) {
    loadingJob = job;
  }

  /** Returns whether faces that the block needs could not be found in a job. */
  public boolean isStuckIn(int job) {
    return missingJob == job;
  }

  /** Notes that faces could not be found in a job. */
  public void stickIn(int job) {
    missingJob = job;
    waiting = false;
  }

  /** Notes that faces are on their way, and when to look for them again. */
  public void waitUntil(long nanoTime) {
    waiting = true;
    retryNanos = heard ? System.nanoTime() : nanoTime;
  }

  /** Says that faces have come that the block may wait for. Needs no monitor. */
  public void hurry() {
    run.hurry(this);
  }

  /** Has the block look for faces at once. */
  void hear() {
    heard = true;
    retryNanos = System.nanoTime();
    nextFetch = retryNanos;
  }

  /** Returns whether faces are on their way that the block waits for. */
  public boolean isWaiting() {
    return waiting;
  }

  /** Returns how long to leave the block alone, as it waits for faces; 0 or less if it does not. */
  public long waitNanos() {
    return waiting ? retryNanos - System.nanoTime() : 0;
  }

  /** Returns the blocks to which the faces of this state were given, by whatever way. */
  public Set<Integer> givenTo() {
    return givenTo;
  }

  /** Keeps a copy of a field's cells, to compare later ones with. */
  public void mark(int field) {
    marked = fields.copy(field);
    markedState = state;
  }

  /** Returns the state of the copy, -1 for none. */
  public int markedState() {
    return markedState;
  }

  /** Returns the copy. */
  public Object marked() {
    return marked.get();
  }

  /** Returns what a task has left here, or something new that is kept. */
  public <P> P attached(Class<P> type, Supplier<P> maker) {
    return type.cast(attached.computeIfAbsent(type, same -> maker.get()));
  }

  /** Forgets what a task has left here. */
  public void detach(Class<?> type) {
    attached.remove(type);
  }

  /** Returns the writing of checkpoints, by their states. */
  public Map<Integer, Future<Serializable>> writes() {
    return writes;
  }

  /** Returns the bytes of the cells on the heap. Needs no monitor. */
  public long heapBytes() {
    BlockFields now = fields;
    return now == null ? 0 : now.heapBytes();
  }

  /** Returns the bytes of the cells on disk. Needs no monitor. */
  public long diskBytes() {
    BlockFields now = fields;
    return now == null ? 0 : now.diskBytes();
  }

  /** Returns the bytes of the cells on a device. Needs no monitor. */
  public long deviceBytes() {
    BlockFields now = fields;
    return now == null ? 0 : now.deviceBytes();
  }
}
