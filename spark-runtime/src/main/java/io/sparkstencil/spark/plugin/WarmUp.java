/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.List;

/**
 * Opens engines and runs a first small batch on each, in a thread of its own, so that drivers,
 * contexts and compilers are loaded when the first task comes. A task that comes earlier waits for
 * the engine that it needs, not for the rest.
 */
final class WarmUp {
  private static final System.Logger LOG = System.getLogger(WarmUp.class.getName());
  private static final int CELLS = 4096;

  private final ProcessEngines engines;
  private final Thread thread;
  private volatile boolean stopped;

  private WarmUp(ProcessEngines engines) {
    this.engines = engines;
    this.thread = new Thread(this::run, "stencil-warm-up");
    thread.setDaemon(true);
  }

  static WarmUp start(ProcessEngines engines) {
    WarmUp warmUp = new WarmUp(engines);
    warmUp.thread.start();
    return warmUp;
  }

  private void run() {
    try {
      LOG.log(System.Logger.Level.INFO, "Spark Stencil " + StencilDriverPlugin.version());
      for (ProcessEngine engine : engines.ofExecutor()) {
        if (stopped) {
          return;
        }
        warm(engine);
      }
    } catch (RuntimeException | LinkageError e) {
      // Tasks meet the same failure, and deal with it.
      LOG.log(System.Logger.Level.WARNING, "engines cannot be warmed up: " + e.getMessage());
    }
  }

  private static void warm(ProcessEngine engine) {
    try {
      StencilEngine opened = engine.open();
      LOG.log(System.Logger.Level.INFO, "engine {0}: {1}", engine.label(), opened.description());
      runOnce(opened);
    } catch (StencilException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "engine {0} cannot be warmed up: {1}",
          engine.label(),
          e.getMessage());
    }
  }

  private static void runOnce(StencilEngine engine) {
    StencilSpec spec = new StencilSpec(Stencil.mean(Frame.radius(1)), ElementType.F64);
    if (engine.reasonAgainst(spec).isPresent()) {
      return;
    }
    CompiledStencil compiled = engine.compile(spec);
    StagingLayout layout = new StagingLayout(1, 1);
    layout.add(CELLS, 0, 0);
    try (Lane lane = engine.openLane();
        CellBuffer input = lane.lease(spec.type(), layout.stagedCells(), false);
        CellBuffer output = lane.lease(spec.type(), layout.stagedCells(), false)) {
      input.fill(0, layout.stagedCells(), 0);
      lane.submit(new StagedBatch(layout, input, false), List.of(compiled), List.of(output))
          .await();
    }
  }

  /** Waits for the engine that is being opened, if any, and opens no further one. */
  void stop(long millis) {
    stopped = true;
    try {
      thread.join(Math.max(1, millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
