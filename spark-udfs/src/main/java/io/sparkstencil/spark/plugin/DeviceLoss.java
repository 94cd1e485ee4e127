/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.error.StencilException;
import java.util.function.IntConsumer;

/** What a process does when a device is lost. */
final class DeviceLoss {
  /** The exit code that says that the executor gave up because its GPU was lost. */
  static final int EXIT_CODE = 20;

  private static final System.Logger LOG = System.getLogger(DeviceLoss.class.getName());
  private static final long PATIENCE_MILLIS = 10_000;

  private final boolean exits;
  private final IntConsumer exit;

  /**
   * Decides for a process.
   *
   * @param exits whether the process ends, so that another one takes its place
   * @param exit ends it; does not return
   */
  DeviceLoss(boolean exits, IntConsumer exit) {
    this.exits = exits;
    this.exit = exit;
  }

  /** Marks the device lost and, if so decided, ends the process. */
  void lost(ProcessEngine engine, StencilException failure) {
    boolean first = engine.lose(failure.getMessage());
    if (exits || first) {
      LOG.log(
          System.Logger.Level.ERROR,
          "engine {0} has lost its device ({1}); {2}",
          engine.label(),
          failure.getMessage(),
          exits ? "this executor exits with code " + EXIT_CODE : "this process goes on without it");
    }
    if (exits) {
      exit.accept(EXIT_CODE);
    }
  }

  /**
   * Ends this process, from a task's thread, which thereby never reports a failure of its own: the
   * scheduler sees a lost executor. Hooks that hang, as calls to a dead device may, are cut short.
   */
  static void exitProcess(int code) {
    Thread halt =
        new Thread(
            () -> {
              try {
                Thread.sleep(PATIENCE_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(code);
            },
            "stencil-halt");
    halt.setDaemon(true);
    halt.start();
    System.exit(code);
  }
}
