/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.BadDataException;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/**
 * Puts arrays of results into a row's null columns; the row that it returns is its own, reused.
 * Arrays are named by where they begin. Used by one thread.
 */
public final class ProgramRowWriter {
  private static final int WORD = 8;

  private final int fixedBytes; // of a row
  private final UnsafeRowWriter row;

  /** Creates a writer of rows with this many columns. */
  public ProgramRowWriter(int fields) {
    fixedBytes = UnsafeRow.calculateBitSetWidthInBytes(fields) + WORD * fields;
    row = new UnsafeRowWriter(fields);
  }

  /** Begins a row with the columns of another, in which those of results are null. */
  public void begin(UnsafeRow base) {
    row.reset();
    int bytes = base.getSizeInBytes() - fixedBytes;
    reserve(bytes);
    base.writeToMemory(row.getBuffer(), Platform.BYTE_ARRAY_OFFSET);
    row.increaseCursor(bytes);
  }

  /** Returns the row with all that has been written. */
  public UnsafeRow row() {
    return row.getRow();
  }

  /** Returns where the next array begins. */
  public int cursor() {
    return row.cursor();
  }

  private void reserve(long bytes) {
    long needed = row.totalSize() + bytes;
    if (needed > ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH) {
      throw new BadDataException(
          "a row with its results takes %d bytes, more than the %d of Spark's rows; select fewer arrays at once"
              .formatted(needed, ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH));
    }
    row.grow((int) bytes);
  }

  /** Says that a column is what has been written from {@code start} on. */
  public void setColumn(int ordinal, int start) {
    BitSetMethods.unset(row.getBuffer(), Platform.BYTE_ARRAY_OFFSET, ordinal);
    row.setOffsetAndSizeFromPreviousCursor(ordinal, start);
  }

  /** Adds an array as it is. */
  void add(UnsafeArrayData array) {
    int start = cursor();
    int bytes = array.getSizeInBytes();
    reserve(bytes);
    array.writeToMemory(row.getBuffer(), start);
    row.increaseCursor(bytes);
  }

  /** Begins a struct, none of whose fields is null; they are written next. */
  int beginStruct(int fields) {
    int bytes = UnsafeRow.calculateBitSetWidthInBytes(fields) + WORD * fields;
    reserve(bytes);
    int struct = cursor();
    for (int at = 0; at < bytes; at += WORD) {
      Platform.putLong(row.getBuffer(), (long) struct + at, 0);
    }
    row.increaseCursor(bytes);
    return struct;
  }

  /** Says that a field of a struct is what has been written from {@code start} on. */
  void setField(int struct, int fields, int index, int start) {
    long at = (long) struct + UnsafeRow.calculateBitSetWidthInBytes(fields) + (long) WORD * index;
    Platform.putLong(row.getBuffer(), at, offsetAndSize(struct, start));
  }

  private long offsetAndSize(int from, int start) {
    return ((long) (start - from) << 32) | (cursor() - start);
  }

  /** Begins an array of arrays, which are written next. */
  public int beginRows(int length) {
    return begin(length, WORD);
  }

  /** Begins an array of zeros, none of them null. */
  private int begin(int length, int elementBytes) {
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(length);
    long elements = ByteArrayMethods.roundNumberOfBytesToNearestWord((long) length * elementBytes);
    reserve(header + elements);
    int array = cursor();
    Platform.putLong(row.getBuffer(), array, length);
    for (int at = WORD; at < header; at += WORD) {
      Platform.putLong(row.getBuffer(), (long) array + at, 0);
    }
    int bytes = (int) (header + elements);
    if (elements > 0) {
      Platform.putLong(row.getBuffer(), (long) array + bytes - WORD, 0); // what pads the last word
    }
    row.increaseCursor(bytes);
    return array;
  }

  /** Says that an array in an array is what has been written from {@code start} on. */
  public void setRow(int array, int length, int index, int start) {
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(length);
    long at = (long) array + header + (long) WORD * index;
    Platform.putLong(row.getBuffer(), at, offsetAndSize(array, start));
  }

  /** Adds an array of cells that lie in a primitive array. */
  public int addCells(Object cells, long offset, int length, int elementBytes) {
    int array = begin(length, elementBytes);
    int header = UnsafeArrayData.calculateHeaderPortionInBytes(length);
    Platform.copyMemory(
        cells, offset, row.getBuffer(), (long) array + header, (long) length * elementBytes);
    return array;
  }

  /** Makes an element null; null elements are 0, so that equal arrays have equal bytes. */
  public void setNull(int array, int length, int index, int elementBytes) {
    BitSetMethods.set(row.getBuffer(), (long) array + WORD, index);
    long at =
        (long) array
            + UnsafeArrayData.calculateHeaderPortionInBytes(length)
            + (long) elementBytes * index;
    if (elementBytes == WORD) {
      Platform.putLong(row.getBuffer(), at, 0);
    } else {
      Platform.putInt(row.getBuffer(), at, 0);
    }
  }
}
