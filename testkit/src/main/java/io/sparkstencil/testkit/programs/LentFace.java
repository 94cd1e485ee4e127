/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import io.sparkstencil.grid.FaceBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory for faces outside of the heap that is lent again and again. It is poisoned while nobody
 * has it; whoever writes into it then, or gives it back twice, is found out.
 */
public final class LentFace implements FaceBuffer {
  private static final byte POISON = (byte) 0xFF;
  private static final Map<Integer, Deque<ByteBuffer>> IDLE = new HashMap<>(); // guarded by itself
  private static int lent; // guarded by IDLE
  private static int all; // guarded by IDLE

  private final ByteBuffer memory;
  private boolean closed; // guarded by IDLE

  private LentFace(ByteBuffer memory) {
    this.memory = memory;
  }

  /**
   * Lends memory.
   *
   * @throws IllegalStateException if somebody has written to it since it was given back
   */
  public static LentFace lend(int bytes) {
    synchronized (IDLE) {
      ByteBuffer memory = IDLE.computeIfAbsent(bytes, same -> new ArrayDeque<>()).poll();
      if (memory == null) {
        memory = poisoned(ByteBuffer.allocateDirect(bytes));
      }
      if (!memory.equals(poisoned(ByteBuffer.allocate(bytes)))) {
        throw new IllegalStateException("a face was written after its memory was given back");
      }
      lent++;
      all++;
      return new LentFace(memory);
    }
  }

  private static ByteBuffer poisoned(ByteBuffer memory) {
    for (int i = 0; i < memory.capacity(); i++) {
      memory.put(i, POISON);
    }
    return memory;
  }

  /** Returns how many are lent now. */
  public static int countLent() {
    synchronized (IDLE) {
      return lent;
    }
  }

  /** Returns how many have been lent, all together. */
  public static int countAll() {
    synchronized (IDLE) {
      return all;
    }
  }

  @Override
  public ByteBuffer bytes() {
    return memory.slice();
  }

  @Override
  public void close() {
    synchronized (IDLE) {
      if (closed) {
        throw new IllegalStateException("the memory of a face is given back twice");
      }
      closed = true;
      lent--;
      IDLE.get(memory.capacity()).push(poisoned(memory));
    }
  }
}
