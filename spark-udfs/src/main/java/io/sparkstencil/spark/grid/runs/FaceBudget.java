/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.HaloPlan;
import io.sparkstencil.spark.grid.tasks.GridModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For how many states the log of faces has room. It would grow without end where no checkpoint
 * empties it.
 */
final class FaceBudget {
  /** The most states, however small their faces are. */
  private static final int MOST_STATES = 1024;

  private final HaloPlan plan;
  private final int fields;
  private final long bytes;
  private List<String> locations = List.of();
  private boolean keptAll;
  private int states = MOST_STATES;

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
   * Returns the states, at least one, whose faces are within the budget of every executor.
   *
   * @param now the executor of each block
   * @param keepsAll whether the log has faces between blocks of one executor, too
   */
  int states(List<String> now, boolean keepsAll) {
    if (keepsAll != keptAll || !now.equals(locations)) {
      long most = mostBytes(now, keepsAll);
      states = most == 0 ? MOST_STATES : (int) Math.max(1, Math.min(MOST_STATES, bytes / most));
      locations = List.copyOf(now);
      keptAll = keepsAll;
    }
    return states;
  }

  /** Returns what a state adds to the log of the executor that gives most. */
  private long mostBytes(List<String> now, boolean keepsAll) {
    Map<String, Long> given = new HashMap<>();
    for (int block = 0; block < now.size(); block++) {
      ExtendedBlock target = plan.extended(block);
      for (int source : target.sources()) {
        if (keepsAll || !now.get(source).equals(now.get(block))) {
          given.merge(now.get(source), plan.faceBytes(target, source, fields), Long::sum);
        }
      }
    }
    return given.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
