/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.arrays.ArrayResults;
import io.sparkstencil.spark.arrays.ArrayRow;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeArrayWriter;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.array.ByteArrayMethods;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/**
 * Puts results into a row's null array columns; the row that it returns is its own, reused. Used by
 * one thread.
 */
final class ArrayRowWriter {
  /**
   * A column of results.
   *
   * @param ordinal in the row
   * @param operation as planned
   * @param depth arrays around the innermost ones
   * @param elementBytes bytes of an innermost element
   */
  record Column(int ordinal, int operation, int depth, int elementBytes) implements Serializable {}

  private final List<Column> columns;
  private final int fixedBytes; // of a row
  private final UnsafeRowWriter row;
  private final List<UnsafeArrayWriter[]> arrays = new ArrayList<>(); // by column and depth

  ArrayRowWriter(List<Column> columns, int fields) {
    this.columns = columns;
    this.fixedBytes = fixedBytes(fields);
    this.row = new UnsafeRowWriter(fields);
    for (Column column : columns) {
      UnsafeArrayWriter[] levels = new UnsafeArrayWriter[column.depth() + 1];
      for (int depth = 0; depth < levels.length; depth++) {
        levels[depth] = new UnsafeArrayWriter(row, depth == 0 ? column.elementBytes() : 8);
      }
      arrays.add(levels);
    }
  }

  private static int fixedBytes(int fields) {
    return UnsafeRow.calculateBitSetWidthInBytes(fields) + 8 * fields;
  }

  /** Returns a row of nulls. */
  static UnsafeRow nulls(int fields) {
    UnsafeRow nulls = UnsafeRow.createFromByteArray(fixedBytes(fields), fields);
    for (int i = 0; i < fields; i++) {
      nulls.setNullAt(i);
    }
    return nulls;
  }

  UnsafeRow write(UnsafeRow base, ArrayResults results) {
    row.reset();
    reserve(base.getSizeInBytes() - fixedBytes);
    base.writeToMemory(row.getBuffer(), Platform.BYTE_ARRAY_OFFSET);
    row.increaseCursor(base.getSizeInBytes() - fixedBytes);
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      int start = row.cursor();
      results.begin(column.operation());
      if (append(results, arrays.get(i), column.depth(), column.elementBytes())) {
        BitSetMethods.unset(row.getBuffer(), Platform.BYTE_ARRAY_OFFSET, column.ordinal());
        row.setOffsetAndSizeFromPreviousCursor(column.ordinal(), start);
      }
    }
    return row.getRow();
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

  /**
   * Appends the next array of {@code results}.
   *
   * @param levels what writes arrays, those of elements first
   * @param depth arrays around the innermost ones
   * @return false if the array is null, and nothing was appended
   */
  private boolean append(
      ArrayResults results, UnsafeArrayWriter[] levels, int depth, int elementBytes) {
    int length = results.nextArray();
    if (length == ArrayRow.NULL) {
      return false;
    }
    if (depth == 0) {
      appendLeaf(results, length, levels[0], elementBytes);
      return true;
    }
    begin(levels[depth], length, 8);
    for (int i = 0; i < length; i++) {
      int start = row.cursor();
      if (append(results, levels, depth - 1, elementBytes)) {
        levels[depth].setOffsetAndSizeFromPreviousCursor(i, start);
      } else {
        levels[depth].setNull8Bytes(i);
      }
    }
    return true;
  }

  private void begin(UnsafeArrayWriter array, int length, int elementBytes) {
    long elements = (long) elementBytes * length;
    reserve(
        UnsafeArrayData.calculateHeaderPortionInBytes((long) length)
            + ByteArrayMethods.roundNumberOfBytesToNearestWord(elements));
    array.initialize(length);
  }

  private void appendLeaf(
      ArrayResults results, int cells, UnsafeArrayWriter array, int elementBytes) {
    int length = results.resultLength(cells);
    int elements = row.cursor() + UnsafeArrayData.calculateHeaderPortionInBytes(length);
    begin(array, length, elementBytes);
    byte[] validity = results.validity(cells);
    int first = results.firstResult();
    results.copyLeaf(cells, row.getBuffer(), elements);
    for (int i = 0; validity != null && i < length; i++) {
      if (validity[first + i] == 0) {
        setNull(array, i, elementBytes);
      }
    }
  }

  /** Null elements are 0 in Spark's arrays, so that equal arrays have equal bytes. */
  private static void setNull(UnsafeArrayWriter array, int index, int elementBytes) {
    if (elementBytes == 4) {
      array.setNull4Bytes(index);
    } else {
      array.setNull8Bytes(index);
    }
  }
}
