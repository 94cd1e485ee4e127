/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import org.apache.spark.unsafe.Platform;

/**
 * Where the elements of one array lie: in a Java array or off the heap, addressed as {@link
 * Platform} does, with a bitset of nulls or none. Mutable, so that one object serves many arrays.
 */
public final class ArrayCells {
  private Object base;
  private long offset;
  private int length;
  private boolean hasNulls;
  private Object nullBase;
  private long nullOffset;

  /** Points to {@code newLength} elements without nulls. */
  public void set(Object newBase, long newOffset, int newLength) {
    base = newBase;
    offset = newOffset;
    length = newLength;
    hasNulls = false;
    nullBase = null;
    nullOffset = 0;
  }

  /**
   * Points to {@code newLength} elements of which some may be null.
   *
   * @param newNullBase with {@code newNullOffset}, the first 64-bit word of a bitset with 1 for
   *     null
   */
  public void set(
      Object newBase, long newOffset, int newLength, Object newNullBase, long newNullOffset) {
    set(newBase, newOffset, newLength);
    for (int word = 0; word < words(newLength) && !hasNulls; word++) {
      hasNulls = Platform.getLong(newNullBase, newNullOffset + 8L * word) != 0;
    }
    if (hasNulls) {
      nullBase = newNullBase;
      nullOffset = newNullOffset;
    }
  }

  private static int words(int bits) {
    return (bits + 63) >>> 6;
  }

  Object base() {
    return base;
  }

  long offset() {
    return offset;
  }

  int length() {
    return length;
  }

  boolean hasNulls() {
    return hasNulls;
  }

  /** Writes 1 for each element and 0 for each null into {@code validity}, from its start on. */
  void writeValidity(byte[] validity) {
    for (int i = 0; i < length; i++) {
      long word = Platform.getLong(nullBase, nullOffset + ((i >>> 6) << 3));
      validity[i] = (byte) (~(word >>> (i & 63)) & 1);
    }
  }
}
