/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.grid.FaceBuffer;
import java.nio.ByteBuffer;

/**
 * A face that is given: its block, the log and the network use its memory at the same time, which
 * goes back when the last of them has released it, once. Safe for many threads.
 */
final class FaceBytes {
  private final FaceBuffer memory;
  private final int length;
  private int users = 1; // guarded by this

  /** Takes memory, for one user. */
  FaceBytes(FaceBuffer memory) {
    this.memory = memory;
    length = memory.bytes().remaining();
  }

  int length() {
    return length;
  }

  /** Adds a user, unless the memory has gone back. */
  synchronized boolean retain() {
    if (users == 0) {
      return false;
    }
    users++;
    return true;
  }

  /** Returns a view of the bytes, for a user. */
  ByteBuffer view() {
    return memory.bytes();
  }

  /** Ends the use of a user. */
  void release() {
    boolean last;
    synchronized (this) {
      if (users == 0) {
        throw new IllegalStateException("the memory of a face is given back twice");
      }
      users--;
      last = users == 0;
    }
    if (last) {
      memory.close();
    }
  }
}
