/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that faces of other executors may take here until their blocks use them. */
final class PushRoom {
  private final long most;
  private final AtomicLong used = new AtomicLong();

  PushRoom(long most) {
    this.most = most;
  }

  /** Takes some bytes; returns whether there was room. */
  boolean take(long bytes) {
    long before = used.getAndUpdate(now -> now + bytes <= most ? now + bytes : now);
    return before + bytes <= most;
  }

  void give(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Returns the bytes that are taken. */
  long used() {
    return used.get();
  }
}
