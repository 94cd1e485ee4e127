/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.arrays.ArrayResults;
import io.sparkstencil.spark.arrays.ArrayRow;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/** Bytes that grow, to which results are appended as Spark lays out arrays. Used by one thread. */
final class ArrayBytes {
  private static final int FIRST_CAPACITY = 1 << 10;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int size;

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Appends {@code count} bytes as they happen to be and returns the position of the first. */
  int reserve(long count) {
    long needed = size + count;
    if (needed > bytes.length) {
      if (needed > ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH) {
        throw new BadDataException(
            "a row with its results takes %d bytes, more than the %d of Spark's rows; select fewer arrays at once"
                .formatted(needed, ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH));
      }
      long doubled = Math.min(2L * bytes.length, ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH);
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, doubled));
    }
    int at = size;
    size = (int) needed;
    return at;
  }

  private static long address(int position) {
    return Platform.BYTE_ARRAY_OFFSET + (long) position;
  }

  /**
   * Appends the next array of {@code results}.
   *
   * @param depth arrays around the innermost ones
   * @param elementBytes bytes of an innermost element
   * @return false if the array is null, and nothing was appended
   */
  boolean append(ArrayResults results, int depth, int elementBytes) {
    int length = results.nextArray();
    if (length == ArrayRow.NULL) {
      return false;
    }
    if (depth == 0) {
      appendLeaf(results, length, elementBytes);
      return true;
    }
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(length);
    int at = reserve(header + 8L * length);
    Arrays.fill(bytes, at, size, (byte) 0);
    Platform.putLong(bytes, address(at), length);
    for (int i = 0; i < length; i++) {
      int start = size;
      if (append(results, depth - 1, elementBytes)) {
        long place = ((long) (start - at) << 32) | (size - start);
        Platform.putLong(bytes, address(at + header) + 8L * i, place);
      } else {
        BitSetMethods.set(bytes, address(at + 8), i);
      }
    }
    return true;
  }

  private void appendLeaf(ArrayResults results, int cells, int elementBytes) {
    int length = results.resultLength(cells);
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(length);
    long elements = (long) length * elementBytes;
    int at = reserve(header + ByteArrayMethods.roundNumberOfBytesToNearestWord(elements));
    Platform.putLong(bytes, address(at), length);
    Arrays.fill(bytes, at + 8, at + header, (byte) 0);
    Arrays.fill(bytes, (int) (at + header + elements), size, (byte) 0);
    byte[] validity = results.validity(cells);
    int first = results.firstResult();
    results.copyLeaf(cells, bytes, address(at + header));
    if (validity == null) {
      return;
    }
    for (int i = 0; i < length; i++) {
      if (validity[first + i] == 0) {
        // Null elements are 0 in Spark's arrays, so that equal arrays have equal bytes.
        int element = at + header + i * elementBytes;
        BitSetMethods.set(bytes, address(at + 8), i);
        Arrays.fill(bytes, element, element + elementBytes, (byte) 0);
      }
    }
  }
}
