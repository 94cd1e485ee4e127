/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.spark.grid.tasks.GridModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * For how many states the block managers have room for faces, and how much they have. They would
 * grow without end where no checkpoint empties them. Bytes are those that executors count, as their
 * collectors do; what devices keep is not among them.
 */
final class FaceBudget {
  /** The most states, however small their faces are. */
  private static final int MOST_STATES = 1024;

  private final FacePlan plan;
  private final int fields;
  private final long bytes;
  private List<String> locations = List.of();
  private boolean keptAll;
  private boolean measured; // where blocks are now

  /** What jobs have put, by their last states and by executors. */
  private final SortedMap<Integer, Map<String, Long>> put = new TreeMap<>();

  private int lastStates = 1; // those of the last job

  /**
   * Creates a budget.
   *
   * @param bytes what an executor may keep
   */
  FaceBudget(GridModel model, long bytes) {
    this.plan = model.plan();
    this.fields = model.updated();
    this.bytes = bytes;
  }

  /**
   * Returns the states, at least one, whose faces are within the budget of every executor: by what
   * the last job has put, or if blocks have moved since then, as if all faces that leave an
   * executor went through the block managers.
   *
   * @param now the executor of each block
   * @param keepsAll whether the log has faces between blocks of one executor, too
   */
  int states(List<String> now, boolean keepsAll) {
    measured &= keepsAll == keptAll && now.equals(locations);
    locations = List.copyOf(now);
    keptAll = keepsAll;
    long most =
        measured
            ? lastBytes() / lastStates
            : mostBytes(now, (giver, taker) -> keepsAll || !now.get(giver).equals(now.get(taker)));
    return most == 0 ? MOST_STATES : (int) Math.max(1, Math.min(MOST_STATES, bytes / most));
  }

  /** Returns what the executor has put that has put most in the last job. */
  private long lastBytes() {
    return put.isEmpty() ? 0 : put.get(put.lastKey()).values().stream().reduce(0L, Math::max);
  }

  /**
   * Returns the states, at least one, whose faces for some blocks are within the budget of every
   * executor that has others.
   *
   * @param now the executor of each block
   */
  int statesFor(Set<Integer> takers, List<String> now) {
    long most = mostBytes(now, (giver, taker) -> takers.contains(taker) && !takers.contains(giver));
    return most == 0
        ? Integer.MAX_VALUE
        : (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / most));
  }

  /** Returns whether some bytes of an executor are more than its part. */
  boolean isExceededBy(Map<String, Long> some) {
    return some.values().stream().anyMatch(size -> size > bytes);
  }

  /** Says which blocks give faces that count. */
  @FunctionalInterface
  private interface Giving {
    boolean counts(int giver, int taker);
  }

  /** Returns what a state adds to the log of the executor that gives most. */
  private long mostBytes(List<String> now, Giving giving) {
    Map<String, Long> given = new HashMap<>();
    for (int block = 0; block < now.size(); block++) {
      ExtendedBlock taker = plan.extended(block);
      for (int giver : taker.givers()) {
        if (giving.counts(giver, block)) {
          given.merge(now.get(giver), plan.faceBytes(taker, giver, fields), Long::sum);
        }
      }
    }
    return given.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Notes what an executor has put in a job that brings blocks to a state. */
  void add(int state, String executor, long putBytes) {
    put.computeIfAbsent(state, same -> new HashMap<>()).merge(executor, putBytes, Long::sum);
  }

  /**
   * Notes how many supersteps the last job has taken.
   *
   * @param alike whether the log was to have the faces of all of these states, or of none, so that
   *     what was put says what the next job puts
   */
  void took(int supersteps, boolean alike) {
    lastStates = Math.max(1, supersteps);
    measured = alike;
  }

  /** Notes that faces of jobs were removed whose last states are before one. */
  void removedBefore(int state) {
    put.headMap(state).clear();
  }

  /** Returns whether some executor would have more than its part after some more supersteps. */
  boolean isExceededBy(int supersteps) {
    Map<String, Long> all = new HashMap<>();
    put.values().forEach(job -> job.forEach((where, size) -> all.merge(where, size, Long::sum)));
    if (!put.isEmpty()) {
      put.get(put.lastKey())
          .forEach((where, size) -> all.merge(where, size * supersteps / lastStates, Long::sum));
    }
    return isExceededBy(all);
  }
}
