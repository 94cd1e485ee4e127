/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the halo of a block has got already while other faces are waited for, and since when.
 * Belongs to the thread that uses the block.
 */
final class TakenFaces {
  /**
   * So long, faces are waited for while all executors are there: less than Spark lets tasks wait
   * for the executors that they prefer, as some may wait for the core of this one.
   */
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  /** Now and then it is looked whether the executors are there. */
  private static final long LOOK_NANOS = 200_000_000L;

  private static final long SHORT_NANOS = 500_000L;
  private static final long LONG_NANOS = 50_000_000L;

  /** The driver is asked rarely for faces that are looked for in shared memory as well. */
  private static final int LOOKS_PER_REQUEST = 8;

  private final Map<Integer, byte[]> tickets = new HashMap<>();
  private final Map<Integer, Set<Integer>> sources = new HashMap<>(); // by state
  private BlockFields fields;
  private int waitingJob = -1;
  private int waitingState;
  private boolean impatient;
  private int looks;
  private long since;
  private long looked;

  /** Returns the blocks whose faces of a state the halo has; the caller adds to them. */
  Set<Integer> sources(BlockFields now, int state) {
    if (now != fields) {
      fields = now;
      sources.clear();
    }
    if (state != Schedule.COEFFICIENTS) {
      sources.keySet().removeIf(other -> other != state && other != Schedule.COEFFICIENTS);
    }
    return sources.computeIfAbsent(state, same -> new HashSet<>());
  }

  /** Returns the ticket of a block that shares its face, if there is any. */
  Optional<byte[]> ticket(int source, Supplier<Optional<byte[]>> finder) {
    byte[] known = tickets.get(source);
    if (known == null) {
      known = finder.get().orElse(null);
      if (known != null) {
        tickets.put(source, known);
      }
    }
    return Optional.ofNullable(known);
  }

  /** Returns whether there is no point in waiting, so that all faces are looked for once more. */
  boolean isImpatient() {
    return impatient;
  }

  /** Returns whether only shared memory is looked into this time, as there is some. */
  boolean isOnlyShared(int source) {
    looks++;
    return tickets.containsKey(source) && looks % LOOKS_PER_REQUEST != 0;
  }

  /** Forgets a ticket, as the face was not where it says: the block may be elsewhere now. */
  void forgetTicket(int source) {
    tickets.remove(source);
  }

  /**
   * Returns after how many nanoseconds it is worth to look for faces again; 0 if they will hardly
   * come.
   *
   * @param areThere whether the executors of all blocks are there
   */
  long waitNanos(int job, int state, BooleanSupplier areThere) {
    long now = System.nanoTime();
    if (waitingJob != job || waitingState != state) {
      waitingJob = job;
      waitingState = state;
      since = now;
      looked = now;
      impatient = false;
    }
    impatient |= now - since > PATIENCE_NANOS;
    if (!impatient && now - looked > LOOK_NANOS) {
      looked = now;
      impatient = !areThere.getAsBoolean();
    }
    if (impatient) {
      return 0;
    }
    return Math.max(SHORT_NANOS, Math.min(LONG_NANOS, (now - since) / 4));
  }
}
