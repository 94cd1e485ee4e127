/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.arrays.ArrayRow;
import io.sparkstencil.spark.arrays.MemoryCells;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * Finds the cells of one input in Spark's array data: where they lie, if they lie in bytes; in a
 * copy otherwise.
 *
 * @param input index of the input
 * @param depth arrays around the innermost ones
 * @param type the type of the innermost elements
 * @param nullElements whether those can be null
 */
record ArrayDataReader(int input, int depth, ElementType type, boolean nullElements)
    implements Serializable {

  /** Adds {@code data}, which may be null, to {@code row}. */
  void read(ArrayData data, ArrayRow row) {
    read(data, depth, row);
  }

  /** Adds {@code data} that has {@code level} arrays around its innermost ones. */
  void read(ArrayData data, int level, ArrayRow row) {
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
    long[] nulls = nullElements ? nulls(data, length) : null;
    Object copy = nulls == null ? copy(data) : copyBesideNulls(data, length);
    if (nulls == null) {
      cells.set(copy, arrayOffset(), length);
    } else {
      cells.set(copy, arrayOffset(), length, nulls, Platform.LONG_ARRAY_OFFSET);
    }
  }

  /** Returns a bitset with 1 for null, or null if no element is. */
  private static long[] nulls(ArrayData data, int length) {
    long[] words = null;
    for (int i = 0; i < length; i++) {
      if (data.isNullAt(i)) {
        if (words == null) {
          words = new long[(length + 63) >>> 6];
        }
        words[i >>> 6] |= 1L << (i & 63);
      }
    }
    return words;
  }

  /** Returns the offset of cell 0 of a Java array of the type. */
  long arrayOffset() {
    return switch (type) {
      case F32 -> Platform.FLOAT_ARRAY_OFFSET;
      case F64 -> Platform.DOUBLE_ARRAY_OFFSET;
      case I32 -> Platform.INT_ARRAY_OFFSET;
      case I64 -> Platform.LONG_ARRAY_OFFSET;
    };
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
