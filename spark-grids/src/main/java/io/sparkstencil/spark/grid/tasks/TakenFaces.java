/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.SharedFace.Kept;
import io.sparkstencil.spark.grid.blocks.HeldBlock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What the halo of a block has got already while other faces are waited for, and since when.
 * Belongs to the thread that uses the block.
 */
final class TakenFaces implements HeldBlock.OfCells {
  /**
   * So long, faces are waited for while all executors are there: less than Spark lets tasks wait
   * for the executors that they prefer, as some may wait for the core of this one.
   */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  /**
   * Faces that are on their way over a slow network are waited for longer, where no task waits for
   * the core of this one: Spark would take its block elsewhere.
   */
  private static final long MOST_PATIENCE_NANOS = 30_000_000_000L;

  /** Now and then it is looked whether the executors are there. */
  private static final long LOOK_NANOS = 200_000_000L;

  /** The driver is asked so rarely for faces that are looked for in shared memory as well. */
  private static final long ASK_NANOS = 50_000_000L;

  private static final long SHORT_NANOS = 500_000L;

  /** Looks into shared memory cost little. */
  private static final long NEAR_NANOS = 1_000_000L;

  /** Others are requests to the driver. */
  private static final long FAR_NANOS = 10_000_000L;

  /** By such a part of the time that was waited, faces of other hosts are noticed late at most. */
  private static final int LATE_PART = 8;

  private final LateAnswers<byte[]> tickets = new LateAnswers<>();
  private final LateAnswers<List<Kept>> kept = new LateAnswers<>();
  private final Set<String> readFrom = new HashSet<>();
  private final Map<Integer, Set<Integer>> givers = new HashMap<>(); // by state
  private BlockFields fields;
  private int waitingJob = -1;
  private int waitingState;
  private boolean waiting;
  private boolean impatient;
  private boolean far;
  private long since;
  private long looked;
  private long askedNanos = System.nanoTime();

  /** Returns the blocks whose faces of a state the halo has; the caller adds to them. */
  Set<Integer> givers(BlockFields now, int state) {
    if (now != fields) {
      fields = now;
      givers.clear();
      readFrom.clear();
      kept.forgetAll();
      tickets.forgetAll();
    }
    if (state != Schedule.COEFFICIENTS) {
      givers.keySet().removeIf(other -> other != state && other != Schedule.COEFFICIENTS);
    }
    return givers.computeIfAbsent(state, same -> new HashSet<>());
  }

  /** Lets go of the cells: a block that begins again may find no room for others beside them. */
  @Override
  public void cellsAreGone() {
    fields = null;
    givers.clear();
  }

  /** Returns the tickets of blocks that share their faces. */
  LateAnswers<byte[]> tickets() {
    return tickets;
  }

  /** Returns what blocks keep that share their faces. */
  LateAnswers<List<Kept>> kept() {
    return kept;
  }

  /** Notes that a face was read in the memory of another executor. */
  void readFrom(String executor) {
    readFrom.add(executor);
  }

  /** Returns whether a face was read in the memory of an executor. */
  boolean hasReadFrom(String executor) {
    return readFrom.contains(executor);
  }

  /** Returns the executors whose memory these cells were read from. */
  Set<String> readFrom() {
    return Set.copyOf(readFrom);
  }

  /** Returns for how long faces have been waited for that are all there now. */
  long endWaiting(long now) {
    long nanos = waiting ? now - since : 0;
    waiting = false;
    return nanos;
  }

  /** Returns whether there is no point in waiting, so that all faces are looked for once more. */
  boolean isImpatient() {
    return impatient;
  }

  /** Returns whether others are asked this time for faces that are looked for in shared memory. */
  boolean isTimeToAsk() {
    long now = System.nanoTime();
    if (now - askedNanos < ASK_NANOS) {
      return false;
    }
    askedNanos = now;
    return true;
  }

  /** Notes whether faces are waited for that others must be asked for at each look. */
  void waitsForFar(boolean now) {
    far = now;
  }

  /** Forgets a ticket, as the face was not where it says: the block may be elsewhere now. */
  void forget(int giver) {
    tickets.forget(giver);
  }

  /**
   * Returns after how many nanoseconds it is worth to look for faces again; 0 if they will hardly
   * come.
   *
   * @param areThere whether the executors of all blocks are there
   * @param areArriving whether faces are being received, and no task waits for the core of this one
   */
  long waitNanos(int job, int state, BooleanSupplier areThere, BooleanSupplier areArriving) {
    long now = System.nanoTime();
    if (waitingJob != job || waitingState != state) {
      waitingJob = job;
      waitingState = state;
      since = now;
      looked = now;
      askedNanos = now;
      impatient = false;
      waiting = true;
    }
    impatient |=
        now - since > MOST_PATIENCE_NANOS
            || (now - since > PATIENCE_NANOS && !areArriving.getAsBoolean());
    if (!impatient && now - looked > LOOK_NANOS) {
      looked = now;
      impatient = !areThere.getAsBoolean();
    }
    if (impatient) {
      return 0;
    }
    long most = far ? FAR_NANOS : NEAR_NANOS;
    return Math.max(SHORT_NANOS, Math.min(most, (now - since) / LATE_PART));
  }
}
