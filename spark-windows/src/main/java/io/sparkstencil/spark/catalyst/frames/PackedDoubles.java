/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.columns.ColumnValues;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Columns of doubles in batches of bytes: the values that are not null, in order, one column after
 * the other. A batch begins with the number of its rows, then has the number of values of each
 * column.
 */
public final class PackedDoubles {
  private static final int ROWS = 1 << 13;

  private final int[] columns;
  private final double[][] values;
  private final int[] counts; // of values that are not null

  private PackedDoubles(int[] columns, int capacity) {
    this.columns = columns;
    this.values = new double[columns.length][capacity];
    this.counts = new int[columns.length];
  }

  /**
   * Packs columns of batches.
   *
   * @param batches each valid until the next is asked for
   * @param columns which of their columns
   */
  public static Iterator<byte[]> ofBatches(Iterator<ColumnarBatch> batches, int[] columns) {
    return batches.map(
        batch -> {
          PackedDoubles packed = new PackedDoubles(columns, 0);
          for (int i = 0; i < columns.length; i++) {
            packed.take(i, batch.column(columns[i]), batch.numRows());
          }
          return packed.pack(batch.numRows());
        });
  }

  /**
   * Packs columns of rows.
   *
   * @param rows each valid until the next is asked for
   * @param columns which of their columns
   */
  public static Iterator<byte[]> ofRows(Iterator<InternalRow> rows, int[] columns) {
    PackedDoubles packed = new PackedDoubles(columns, ROWS);
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public byte[] next() {
        if (!rows.hasNext()) {
          throw new NoSuchElementException();
        }
        int count = 0;
        for (; count < ROWS && rows.hasNext(); count++) {
          packed.take(rows.next());
        }
        return packed.pack(count);
      }
    };
  }

  private void take(InternalRow row) {
    for (int i = 0; i < columns.length; i++) {
      if (!row.isNullAt(columns[i])) {
        values[i][counts[i]++] = row.getDouble(columns[i]);
      }
    }
  }

  private void take(int i, ColumnVector column, int rows) {
    if (ColumnValues.canBeReadAtOnce(column) && !column.hasNull()) {
      values[i] = column.getDoubles(0, rows);
      counts[i] = rows;
      return;
    }
    values[i] = new double[rows];
    for (int row = 0; row < rows; row++) {
      if (!column.isNullAt(row)) {
        values[i][counts[i]++] = column.getDouble(row);
      }
    }
  }

  /** Returns the values, and begins anew. */
  private byte[] pack(int rows) {
    int bytes = headerBytes(columns.length);
    for (int count : counts) {
      bytes += count * Double.BYTES;
    }
    byte[] batch = new byte[bytes];
    Platform.putInt(batch, Platform.BYTE_ARRAY_OFFSET, rows);
    long at = (long) Platform.BYTE_ARRAY_OFFSET + headerBytes(columns.length);
    for (int i = 0; i < counts.length; i++) {
      Platform.putInt(batch, Platform.BYTE_ARRAY_OFFSET + (1L + i) * Integer.BYTES, counts[i]);
      long length = (long) counts[i] * Double.BYTES;
      Platform.copyMemory(values[i], Platform.DOUBLE_ARRAY_OFFSET, batch, at, length);
      at += length;
      counts[i] = 0;
    }
    return batch;
  }

  private static int headerBytes(int columns) {
    return (columns + 2) / 2 * 2 * Integer.BYTES; // a multiple of eight
  }

  /** Returns the number of rows of a batch. */
  static int rows(byte[] batch) {
    return Platform.getInt(batch, Platform.BYTE_ARRAY_OFFSET);
  }

  /** Returns the number of values of a column of a batch. */
  static int count(byte[] batch, int column) {
    return Platform.getInt(batch, Platform.BYTE_ARRAY_OFFSET + (1L + column) * Integer.BYTES);
  }

  /**
   * Returns a sum and the values of a column of a batch, added one after the other.
   *
   * @param columns how many columns the batch has
   */
  static double add(double sum, byte[] batch, int column, int columns) {
    long at = (long) Platform.BYTE_ARRAY_OFFSET + headerBytes(columns);
    for (int i = 0; i < column; i++) {
      at += (long) count(batch, i) * Double.BYTES;
    }
    double total = sum;
    long end = at + (long) count(batch, column) * Double.BYTES;
    for (; at < end; at += Double.BYTES) {
      total += Platform.getDouble(batch, at);
    }
    return total;
  }
}
