/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.spark.grid.runs.GridRun;
import io.sparkstencil.spark.grid.runs.GridSpace;
import java.util.List;

/**
 * The run whose blocks are in the state of a grid, or none. It is closed when that state becomes
 * unreachable. Its user holds its lock.
 */
final class HeldRun implements Runnable {
  private GridRun run;

  private HeldRun(GridRun run) {
    this.run = run;
  }

  /** Returns a holder for a state. */
  static HeldRun of(StencilGrid state, GridRun run) {
    HeldRun held = new HeldRun(run);
    GridLife.CLEANER.register(state, held);
    return held;
  }

  /** Returns the executors of the blocks; none if there is no run. */
  synchronized List<String> locations() {
    return run == null ? List.of() : run.locations();
  }

  /** A run in use. It is closed at the end, unless it is released or kept. */
  final class Use implements AutoCloseable {
    private GridRun used;

    private Use(GridRun used) {
      this.used = used;
    }

    GridRun get() {
      return used;
    }

    /** Returns the run for the next state. */
    GridRun release() {
      GridRun released = used;
      used = null;
      return released;
    }

    /** Keeps the run for this state. */
    void keep() {
      run = release();
    }

    @Override
    public void close() {
      if (used != null) {
        used.close();
      }
    }
  }

  /** Takes the run, or a new one that has come as far. */
  Use take(GridSpace space, long steps) {
    space.requireOpen();
    Use use = new Use(run == null ? space.newRun(steps) : run);
    run = null;
    if (use.get().steps() < steps) {
      try {
        use.get().step(steps - use.get().steps(), GridRun.Progress.NONE);
      } catch (RuntimeException | Error e) {
        use.close();
        throw e;
      }
    }
    return use;
  }

  /** Called when the state is not reachable any more, or nobody uses it. */
  @Override
  public synchronized void run() {
    if (run != null) {
      run.close();
      run = null;
    }
  }
}
