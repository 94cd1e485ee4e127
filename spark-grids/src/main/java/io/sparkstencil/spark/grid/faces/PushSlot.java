/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.grid.FaceBuffer;
import java.util.HashSet;
import java.util.Set;

/** A place for the face of one state at a time; guarded by the inbox that has it. */
final class PushSlot {
  /** What becomes of the memory. */
  enum Use {
    FREE,
    ARRIVING,
    THERE,
    READ
  }

  /** After so long without a byte, whoever sends a face is taken for gone. */
  private static final long STALE_NANOS = 5_000_000_000L;

  FaceBuffer memory; // null before the first face
  private final Set<Integer> begun = new HashSet<>(); // where parts begin that come or have come
  private Use use = Use.FREE;
  private int state = -1;
  private Object attempt; // to take one face; null for none
  private int left;
  private int writers;
  private long heard;

  Use use() {
    return use;
  }

  Object attempt() {
    return attempt;
  }

  /** Returns whether the face of a state is there. */
  boolean has(int wanted) {
    return state == wanted && (use == Use.THERE || use == Use.READ);
  }

  /** Returns whether parts of the face of a state are coming. */
  boolean isArriving(int wanted) {
    return state == wanted && use == Use.ARRIVING && !isStale();
  }

  /** Returns whether the place can be taken; what is passed is of no use, whatever comes of it. */
  boolean isFree(int passed) {
    boolean over = use == Use.ARRIVING && (isStale() || state <= passed);
    return writers == 0 && (use == Use.FREE || over);
  }

  private boolean isStale() {
    return System.nanoTime() - heard > STALE_NANOS;
  }

  /** Begins to take a face. */
  void begin(int newState, int bytes) {
    use = Use.ARRIVING;
    state = newState;
    left = bytes;
    attempt = new Object();
    heard = System.nanoTime();
    begun.clear();
  }

  /** Notes that a part comes; returns false if it has come, or somebody else brings it. */
  boolean beginPart(int offset) {
    return begun.add(offset);
  }

  void beginWriting() {
    writers++;
    heard = System.nanoTime();
  }

  void endWriting() {
    writers--;
  }

  boolean isBeingWritten() {
    return writers > 0;
  }

  /**
   * Notes that a part is there.
   *
   * @param passed the last state that the block has no use for
   * @return whether the face is complete
   */
  boolean endPart(int bytes, int passed) {
    left -= bytes;
    if (left > 0) {
      return false;
    }
    attempt = null;
    use = state <= passed ? Use.FREE : Use.THERE;
    return true;
  }

  /** Notes that the block reads the face, or has read it. */
  void read() {
    use = Use.READ;
  }

  /** Frees the place if its state is passed. */
  void pass(int passed) {
    if (state <= passed) {
      free();
    }
  }

  /** Takes no more of the face. */
  void free() {
    use = Use.FREE;
    attempt = null;
  }
}
