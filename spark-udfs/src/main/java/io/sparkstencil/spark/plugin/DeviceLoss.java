/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

/** How a process ends when a device is lost. */
final class DeviceLoss {
  /** The exit code that says that the executor gave up because its GPU was lost. */
  static final int EXIT_CODE = 20;

  private static final long PATIENCE_MILLIS = 10_000;

  private DeviceLoss() {}

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
