/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.stream.IntStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** The texts of a block of rows, which lie after the words of each row. */
final class BlockTexts {
  private final StructType schema;
  private final int[] fields; // the columns
  private final int wordBytes; // of a row, before its texts
  private final UTF8String[][] values; // for each column, null where it is null
  private final int[] starts; // of the rows, and the end of the last
  private final int[] ends; // of what has been written of a row
  private int bytes; // of the block

  private BlockTexts(StructType schema, int[] fields, int mostRows, int wordBytes) {
    this.schema = schema;
    this.fields = fields;
    this.wordBytes = wordBytes;
    this.values = new UTF8String[schema.size()][];
    for (int field : fields) {
      values[field] = new UTF8String[mostRows];
    }
    this.starts = new int[mostRows + 1];
    this.ends = new int[mostRows];
  }

  /**
   * Returns the texts of blocks, or null if rows have none.
   *
   * @param mostRows rows of a block
   * @param wordBytes bytes of a row before its texts
   */
  static BlockTexts of(StructType schema, int mostRows, int wordBytes) {
    int[] fields =
        IntStream.range(0, schema.size())
            .filter(field -> Texts.isText(schema.apply(field).dataType()))
            .toArray();
    return fields.length == 0 ? null : new BlockTexts(schema, fields, mostRows, wordBytes);
  }

  /**
   * Begins with a block.
   *
   * @param from the first row of a batch that is in the block
   * @param count how many rows may be
   * @param mostBytes bytes from which on it is full
   * @return how many are, one at least
   */
  int layOut(ColumnarBatch batch, int from, int count, int mostBytes) {
    int rows = 0;
    long end = 0;
    while (rows < count && end < mostBytes) {
      starts[rows] = (int) end;
      ends[rows] = wordBytes;
      end += wordBytes;
      for (int field : fields) {
        ColumnVector column = batch.column(field);
        UTF8String value =
            column.isNullAt(from + rows)
                ? null
                : Texts.of(column, schema.apply(field).dataType(), from + rows);
        values[field][rows] = value;
        end += value == null ? 0 : Texts.padded(value.numBytes());
      }
      rows++;
    }
    bytes = Math.toIntExact(end);
    starts[rows] = bytes;
    return rows;
  }

  /** Returns the bytes of the block. */
  int bytes() {
    return bytes;
  }

  int start(int row) {
    return starts[row];
  }

  int bytes(int row) {
    return starts[row + 1] - starts[row];
  }

  /** Writes a column's texts, and to their words, {@code offset} into rows, where they are. */
  void write(byte[] block, int rows, int field, int offset) {
    for (int row = 0; row < rows; row++) {
      UTF8String value = values[field][row];
      if (value == null) {
        continue; // its word is written with the null bits
      }
      long start = Platform.BYTE_ARRAY_OFFSET + (long) starts[row];
      int end = ends[row];
      int bytes = value.numBytes();
      Texts.copy(value.getBaseObject(), value.getBaseOffset(), bytes, block, start + end);
      Platform.putLong(block, start + offset, (long) end << Integer.SIZE | bytes);
      ends[row] = end + (int) Texts.padded(bytes);
    }
  }
}
