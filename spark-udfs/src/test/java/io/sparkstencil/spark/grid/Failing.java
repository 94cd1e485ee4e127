/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.util.concurrent.atomic.AtomicLong;

/** What makes a user's function fail, in a process that runs its own tasks. */
final class Failing {
  static final AtomicLong DIVISOR = new AtomicLong(7);

  private Failing() {}
}
