/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A function of a user that fails at one step or place, until it is told not to.
 *
 * <p>It throws an exception of its own: one that the virtual machine throws for compiled code, as
 * for a division by zero, may come without its message.
 */
final class Failing {
  static final String MESSAGE = "no value here";

  private static final long NOWHERE = -1;
  private static final AtomicLong PLACE = new AtomicLong(NOWHERE);

  private Failing() {}

  static void at(long place) {
    PLACE.set(place);
  }

  static void nowhere() {
    PLACE.set(NOWHERE);
  }

  /** Returns the value, unless the function fails here. */
  static double value(double value, long here) {
    if (here == PLACE.get()) {
      throw new IllegalStateException(MESSAGE);
    }
    return value;
  }
}
