/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Columns of words in a batch: each as its smallest word, and the differences from that in as few
 * bytes as they need. A batch begins with the number of its rows.
 */
public final class PackedColumns {
  /** Bytes before the first column. */
  public static final int HEADER_BYTES = 8;

  private static final int COLUMN_HEADER_BYTES = 16;

  /** Words that are looked at before it is asked whether they need all bytes anyway. */
  private static final int LOOK_WORDS = 64;

  private PackedColumns() {}

  /** Returns the most bytes that a batch may need. */
  public static int mostBytes(int columns, int words) {
    return HEADER_BYTES + columns * COLUMN_HEADER_BYTES + words * Long.BYTES;
  }

  /** Writes the number of rows, and returns where the first column goes. */
  public static long writeRows(byte[] target, int rows) {
    Platform.putInt(target, Platform.BYTE_ARRAY_OFFSET, rows);
    Platform.putInt(target, Platform.BYTE_ARRAY_OFFSET + Integer.BYTES, 0);
    return (long) Platform.BYTE_ARRAY_OFFSET + HEADER_BYTES;
  }

  /**
   * Writes a column of words {@code first}, {@code first + stride} and so on up to {@code until},
   * and returns where the next goes.
   */
  public static long write(long[] words, int first, int stride, int until, byte[] target, long at) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    int width = 0;
    for (int i = first; i < until && width < Long.BYTES; ) {
      int end = (int) Math.min(until, i + (long) LOOK_WORDS * stride);
      for (; i < end; i += stride) {
        least = Math.min(least, words[i]);
        most = Math.max(most, words[i]);
      }
      width = width(most - least);
    }
    long base = width == Long.BYTES ? 0 : least;
    Platform.putLong(target, at, width);
    Platform.putLong(target, at + Long.BYTES, base);
    long to = at + COLUMN_HEADER_BYTES;
    if (width == Long.BYTES && stride == 1) {
      long bytes = (long) (until - first) * Long.BYTES;
      Platform.copyMemory(words, offset(first), target, to, bytes);
      return to + bytes;
    }
    int bits = width * Byte.SIZE;
    for (int i = first; width > 0 && i < until; to += Long.BYTES) {
      long packed = 0;
      for (int shift = 0; shift < Long.SIZE && i < until; shift += bits, i += stride) {
        packed |= (words[i] - base) << shift;
      }
      Platform.putLong(target, to, packed);
    }
    return to;
  }

  /** Writes a column of zeros, and returns where the next goes. */
  public static long writeZeros(byte[] target, long at) {
    Platform.putLong(target, at, 0);
    Platform.putLong(target, at + Long.BYTES, 0);
    return at + COLUMN_HEADER_BYTES;
  }

  /** Returns the bytes that numbers from 0 to {@code range}, unsigned, need. */
  private static int width(long range) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(range);
    return bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  }

  /** Returns the number of rows in a written batch. */
  public static int rows(UnsafeRow batch) {
    return Platform.getInt(batch.getBaseObject(), batch.getBaseOffset());
  }

  /** Tells whether the column at {@code at} is all zeros. */
  public static boolean isZeros(UnsafeRow batch, long at) {
    Object source = batch.getBaseObject();
    return Platform.getLong(source, at) == 0 && Platform.getLong(source, at + Long.BYTES) == 0;
  }

  /** Returns where the column after the one at {@code at} begins. */
  public static long next(UnsafeRow batch, long at) {
    long bytes = rows(batch) * Platform.getLong(batch.getBaseObject(), at);
    return at + COLUMN_HEADER_BYTES + ((bytes + Long.BYTES - 1) & -Long.BYTES);
  }

  /**
   * Reads the column at {@code at} into words {@code first}, {@code first + stride} and so on up to
   * {@code until}.
   */
  public static void read(
      UnsafeRow batch, long at, long[] words, int first, int stride, int until) {
    Object source = batch.getBaseObject();
    int width = (int) Platform.getLong(source, at);
    long base = Platform.getLong(source, at + Long.BYTES);
    int bits = width * Byte.SIZE;
    long mask = width == 0 ? 0 : -1L >>> (Long.SIZE - bits);
    long from = at + COLUMN_HEADER_BYTES;
    if (width == Long.BYTES && stride == 1) {
      Platform.copyMemory(source, from, words, offset(first), (long) (until - first) * Long.BYTES);
      return;
    }
    for (int i = first; i < until; from += Long.BYTES) {
      long packed = width == 0 ? 0 : Platform.getLong(source, from);
      int last = width == 0 ? until : Math.min(until, i + stride * (Long.SIZE / bits));
      for (; i < last; packed >>>= bits, i += stride) {
        words[i] = base + (packed & mask);
      }
    }
  }

  private static long offset(int word) {
    return Platform.LONG_ARRAY_OFFSET + (long) word * Long.BYTES;
  }
}
