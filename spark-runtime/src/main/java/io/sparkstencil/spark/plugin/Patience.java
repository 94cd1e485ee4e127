/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import java.util.concurrent.TimeUnit;

/** Time that several have together: what one takes, the next ones lack. */
final class Patience {
  private final long end;

  Patience(long millis) {
    end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Returns the milliseconds that are left, not below 0. */
  long millis() {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
  }
}
