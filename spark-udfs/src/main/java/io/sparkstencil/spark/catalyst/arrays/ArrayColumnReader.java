/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.arrays.ArrayRow;
import io.sparkstencil.spark.arrays.MemoryCells;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;

/**
 * Finds the cells of one input in columns, as Spark's vectorised readers fill them: without rows in
 * between, in one piece per array.
 */
final class ArrayColumnReader {
  private final ArrayDataReader rows;

  /** Creates a reader for the input of {@code rows}, to which it leaves columns of other kinds. */
  ArrayColumnReader(ArrayDataReader rows) {
    this.rows = rows;
  }

  /** Adds the array at {@code index} of {@code column}, which may be null, to {@code row}. */
  void read(ColumnVector column, int index, ArrayRow row) {
    read(column, index, rows.depth(), row);
  }

  private void read(ColumnVector column, int index, int level, ArrayRow row) {
    if (column.isNullAt(index)) {
      row.array(rows.input(), ArrayRow.NULL);
    } else if (column instanceof WritableColumnVector arrays) {
      int from = arrays.getArrayOffset(index);
      int length = arrays.getArrayLength(index);
      WritableColumnVector elements = arrays.getChild(0);
      if (level == 0) {
        readLeaf(elements, from, length, row.leaf(rows.input(), length));
        return;
      }
      row.array(rows.input(), length);
      for (int i = from; i < from + length; i++) {
        read(elements, i, level - 1, row);
      }
    } else {
      rows.read(column.getArray(index), level, row);
    }
  }

  private void readLeaf(WritableColumnVector elements, int from, int length, MemoryCells cells) {
    boolean plain = !elements.hasDictionary();
    long[] nulls = rows.nullElements() && elements.hasNull() ? nulls(elements, from, length) : null;
    Object base = null;
    long offset;
    if (plain && elements instanceof OffHeapColumnVector outside) {
      offset = outside.valuesNativeAddress() + (long) from * rows.type().bytes();
    } else {
      base = plain ? copy(elements, from, length) : decode(elements, from, length, nulls);
      offset = rows.arrayOffset();
    }
    if (nulls == null) {
      cells.set(base, offset, length);
    } else {
      cells.set(base, offset, length, nulls, Platform.LONG_ARRAY_OFFSET);
    }
  }

  /** Returns a bitset with 1 for null. */
  private static long[] nulls(WritableColumnVector elements, int from, int length) {
    long[] words = new long[(length + 63) >>> 6];
    for (int i = 0; i < length; i++) {
      if (elements.isNullAt(from + i)) {
        words[i >>> 6] |= 1L << (i & 63);
      }
    }
    return words;
  }

  private Object copy(WritableColumnVector elements, int from, int length) {
    return switch (rows.type()) {
      case F32 -> elements.getFloats(from, length);
      case F64 -> elements.getDoubles(from, length);
      case I32 -> elements.getInts(from, length);
      case I64 -> elements.getLongs(from, length);
    };
  }

  /** Reads element by element, which looks each up in the dictionary; nulls have no entry there. */
  private Object decode(WritableColumnVector elements, int from, int length, long[] nulls) {
    Object cells = rows.type().newArray(length);
    for (int i = 0; i < length; i++) {
      if (nulls != null && (nulls[i >>> 6] >>> (i & 63) & 1) != 0) {
        continue;
      }
      switch (rows.type()) {
        case F32 -> ((float[]) cells)[i] = elements.getFloat(from + i);
        case F64 -> ((double[]) cells)[i] = elements.getDouble(from + i);
        case I32 -> ((int[]) cells)[i] = elements.getInt(from + i);
        case I64 -> ((long[]) cells)[i] = elements.getLong(from + i);
      }
    }
    return cells;
  }
}
