/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import org.apache.spark.unsafe.Platform;

/** Differences of words from a base, in as many bits each, one after the other. */
final class DifferenceBits {
  private DifferenceBits() {}

  /** Writes differences from {@code base}, and returns where they end. */
  static long write(
      long[] words, int first, int until, long base, int bits, Object target, long at) {
    if (Long.SIZE % bits != 0) {
      return writeAcross(words, first, until, base, bits, target, at);
    }
    long to = at;
    int i = first;
    if (bits == Integer.SIZE) { // which most columns are
      for (; i + 1 < until; i += 2, to += Long.BYTES) {
        long second = words[i + 1] - base;
        Platform.putLong(target, to, (words[i] - base) | (second << Integer.SIZE));
      }
    }
    for (; i < until; to += Long.BYTES) {
      long packed = 0;
      for (int shift = 0; shift < Long.SIZE && i < until; shift += bits, i++) {
        packed |= (words[i] - base) << shift;
      }
      Platform.putLong(target, to, packed);
    }
    return to;
  }

  /** The same where differences begin in one word and end in the next. */
  private static long writeAcross(
      long[] words, int first, int until, long base, int bits, Object target, long at) {
    long to = at;
    long packed = 0;
    int used = 0; // bits of it
    for (int i = first; i < until; i++) {
      long difference = words[i] - base;
      packed |= difference << used;
      used += bits;
      if (used >= Long.SIZE) {
        Platform.putLong(target, to, packed);
        to += Long.BYTES;
        used -= Long.SIZE;
        packed = used == 0 ? 0 : difference >>> (bits - used);
      }
    }
    if (used > 0) {
      Platform.putLong(target, to, packed);
      to += Long.BYTES;
    }
    return to;
  }

  /** Reads differences from {@code base}. */
  static void read(
      Object source, long at, int bits, long base, long[] words, int first, int stride, int until) {
    long from = at;
    if (bits == Long.SIZE && stride == 1) {
      long to = Platform.LONG_ARRAY_OFFSET + (long) first * Long.BYTES;
      Platform.copyMemory(source, from, words, to, (long) (until - first) * Long.BYTES);
      return;
    }
    if (bits == 0) {
      for (int row = first; row < until; row += stride) {
        words[row] = base;
      }
      return;
    }
    if (Long.SIZE % bits != 0) {
      readAcross(source, from, base, bits, words, first, stride, until);
      return;
    }
    int i = first;
    if (bits == Integer.SIZE && stride == 1) {
      for (; i + 1 < until; i += 2, from += Long.BYTES) {
        long packed = Platform.getLong(source, from);
        words[i] = base + (packed & 0xFFFFFFFFL);
        words[i + 1] = base + (packed >>> Integer.SIZE);
      }
    }
    long mask = -1L >>> (Long.SIZE - bits);
    int inWord = stride * (Long.SIZE / bits);
    for (; i < until; from += Long.BYTES) {
      long packed = Platform.getLong(source, from);
      for (int last = Math.min(until, i + inWord); i < last; packed >>>= bits, i += stride) {
        words[i] = base + (packed & mask);
      }
    }
  }

  /** Reads differences that may begin in one word and end in the next. */
  private static void readAcross(
      Object source, long at, long base, int bits, long[] words, int first, int stride, int until) {
    long mask = -1L >>> (Long.SIZE - bits);
    long from = at;
    long packed = 0;
    int left = 0; // bits of it
    for (int i = first; i < until; i += stride) {
      long difference = packed;
      if (left < bits) {
        long next = Platform.getLong(source, from);
        from += Long.BYTES;
        difference |= next << left;
        packed = next >>> (bits - left);
        left += Long.SIZE - bits;
      } else {
        packed >>>= bits;
        left -= bits;
      }
      words[i] = base + (difference & mask);
    }
  }
}
