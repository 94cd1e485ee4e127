/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.arrays.ArrayRow;
import io.sparkstencil.spark.catalyst.columns.ColumnValues;
import io.sparkstencil.spark.catalyst.interop.MemoryCells;
import java.io.Serializable;
import java.util.function.IntPredicate;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.unsafe.Platform;

/**
 * Finds the cells of one input in Spark's array data or in columns, as Spark's vectorised readers
 * fill them: where they lie, if they lie in bytes; in a copy otherwise, in one piece per array.
 *
 * @param input index of the input
 * @param depth arrays around the innermost ones
 * @param type the type of the innermost elements
 * @param nullElements whether those can be null
 */
record ArrayDataReader(int input, int depth, ElementType type, boolean nullElements)
    implements Serializable {
  /** Returns the reader of input {@code input}, which has arrays of {@code type}. */
  static ArrayDataReader of(int input, DataType type) {
    ArrayType innermost = ArrayTypes.innermost(type);
    return new ArrayDataReader(
        input,
        ArrayTypes.depth(type),
        ArrayTypes.elementType(innermost.elementType()),
        innermost.containsNull());
  }

  /** Adds {@code data}, which may be null, to {@code row}. */
  void read(ArrayData data, ArrayRow row) {
    read(data, depth, row);
  }

  private void read(ArrayData data, int level, ArrayRow row) {
    if (data == null) {
      row.array(input, ArrayRow.NULL);
      return;
    }
    int length = data.numElements();
    if (level == 0) {
      readLeaf(data, row.leaf(input, length), length);
      return;
    }
    row.array(input, length);
    for (int i = 0; i < length; i++) {
      read(data.isNullAt(i) ? null : data.getArray(i), level - 1, row);
    }
  }

  private void readLeaf(ArrayData data, MemoryCells cells, int length) {
    if (data instanceof UnsafeArrayData unsafe) {
      Object base = unsafe.getBaseObject();
      long start = unsafe.getBaseOffset();
      long elements = start + UnsafeArrayData.calculateHeaderPortionInBytes(length);
      if (nullElements) {
        cells.set(base, elements, length, base, start + 8);
      } else {
        cells.set(base, elements, length);
      }
      return;
    }
    long[] nulls = nullElements ? nulls(data::isNullAt, length) : null;
    // Columns of others need not have a method that reads many values.
    boolean atOnce = nulls == null && !(data instanceof ColumnarArray);
    Object copy = atOnce ? copy(data) : copyBesideNulls(data, length);
    point(cells, copy, MemoryCells.arrayOffset(type), length, nulls);
  }

  /** Adds the array at {@code index} of {@code column}, which may be null, to {@code row}. */
  void read(ColumnVector column, int index, ArrayRow row) {
    read(column, index, depth, row);
  }

  private void read(ColumnVector column, int index, int level, ArrayRow row) {
    if (column.isNullAt(index)) {
      row.array(input, ArrayRow.NULL);
    } else if (ColumnValues.isOfSpark(column) && column instanceof WritableColumnVector arrays) {
      int from = arrays.getArrayOffset(index);
      int length = arrays.getArrayLength(index);
      WritableColumnVector elements = arrays.getChild(0);
      if (level == 0) {
        readLeaf(elements, from, length, row.leaf(input, length));
        return;
      }
      row.array(input, length);
      for (int i = from; i < from + length; i++) {
        read(elements, i, level - 1, row);
      }
    } else {
      read(column.getArray(index), level, row);
    }
  }

  private void readLeaf(WritableColumnVector elements, int from, int length, MemoryCells cells) {
    long[] nulls =
        nullElements && elements.hasNull() ? nulls(i -> elements.isNullAt(from + i), length) : null;
    if (elements instanceof OffHeapColumnVector outside && !elements.hasDictionary()) {
      long offset = outside.valuesNativeAddress() + (long) from * type.bytes();
      point(cells, null, offset, length, nulls);
    } else {
      // Where there is a dictionary, these columns do not look for nulls in it.
      Object copy = copy(new ColumnarArray(elements, from, length));
      point(cells, copy, MemoryCells.arrayOffset(type), length, nulls);
    }
  }

  private static void point(MemoryCells cells, Object base, long offset, int length, long[] nulls) {
    if (nulls == null) {
      cells.set(base, offset, length);
    } else {
      cells.set(base, offset, length, nulls, Platform.LONG_ARRAY_OFFSET);
    }
  }

  /** Returns a bitset with 1 for null, or null if no element is. */
  private static long[] nulls(IntPredicate isNull, int length) {
    long[] words = null;
    for (int i = 0; i < length; i++) {
      if (isNull.test(i)) {
        if (words == null) {
          words = new long[(length + 63) >>> 6];
        }
        words[i >>> 6] |= 1L << (i & 63);
      }
    }
    return words;
  }

  private Object copy(ArrayData data) {
    return switch (type) {
      case F32 -> data.toFloatArray();
      case F64 -> data.toDoubleArray();
      case I32 -> data.toIntArray();
      case I64 -> data.toLongArray();
    };
  }

  private Object copyBesideNulls(ArrayData data, int length) {
    Object copy = type.newArray(length);
    for (int i = 0; i < length; i++) {
      if (data.isNullAt(i)) {
        continue;
      }
      switch (type) {
        case F32 -> ((float[]) copy)[i] = data.getFloat(i);
        case F64 -> ((double[]) copy)[i] = data.getDouble(i);
        case I32 -> ((int[]) copy)[i] = data.getInt(i);
        case I64 -> ((long[]) copy)[i] = data.getLong(i);
      }
    }
    return copy;
  }
}
