/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

/**
 * Requests to the driver that are also made by threads that were interrupted: Spark refuses to wait
 * in these, but what such a thread leaves behind must be removed all the same.
 */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** Does some work as if the thread were not interrupted, which it is again afterwards. */
  public static void run(Runnable work) {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
