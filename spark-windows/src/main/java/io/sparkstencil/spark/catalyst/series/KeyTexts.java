/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import java.util.Arrays;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** The texts of the keys of series, one after the other. */
final class KeyTexts {
  private static final int FIRST_BYTES = 1 << 10;

  private byte[] memory = new byte[FIRST_BYTES];
  private int used;

  /** Tells whether there is room for so many bytes. */
  boolean hasRoom(long bytes) {
    return used + bytes <= Integer.MAX_VALUE - Long.BYTES;
  }

  /** Keeps a text, for which there is room, and returns its place. */
  long add(UTF8String text) {
    int bytes = text.numBytes();
    int from = used;
    if (memory.length - from < bytes) {
      long longer = Math.max((long) from + bytes, 2L * memory.length);
      memory = Arrays.copyOf(memory, (int) Math.min(Integer.MAX_VALUE - Long.BYTES, longer));
    }
    text.writeToMemory(memory, Platform.BYTE_ARRAY_OFFSET + (long) from);
    used = from + bytes;
    return (long) from << Integer.SIZE | bytes;
  }

  /** Returns the text at a place. */
  UTF8String text(long place) {
    return UTF8String.fromBytes(memory, (int) (place >>> Integer.SIZE), (int) place);
  }

  /** Returns the bytes that this takes. */
  long bytes() {
    return memory.length;
  }
}
