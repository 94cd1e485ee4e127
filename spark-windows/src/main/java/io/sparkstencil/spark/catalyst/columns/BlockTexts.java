/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** The texts of a block of rows, which lie after the words of each row. */
final class BlockTexts {
  private static final int NULL = -1;

  private final int[] fields; // the columns
  private final DataType[] types; // of these
  private final TextReader[] readers; // of these
  private final int wordBytes; // of a row, before its texts
  private final int[][] lengths; // for each of them and each row, bytes or NULL
  private final UTF8String[][] values; // for each of them, unless the column can copy them itself
  private final int[] starts; // of the rows, and the end of the last
  private final int[] ends; // of what has been written of a row
  private ColumnVector[] columns;
  private int first; // row of these that is in the block
  private int bytes; // of the block

  private BlockTexts(StructType schema, int[] fields, int mostRows, int wordBytes) {
    this.fields = fields;
    this.types =
        IntStream.of(fields)
            .mapToObj(field -> Texts.stored(schema.apply(field).dataType()))
            .toArray(DataType[]::new);
    this.readers = Stream.of(types).map(TextReader::new).toArray(TextReader[]::new);
    this.wordBytes = wordBytes;
    this.lengths = new int[fields.length][mostRows];
    this.values = new UTF8String[fields.length][mostRows];
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
            .filter(field -> Texts.liesApart(schema.apply(field).dataType()))
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
    columns = IntStream.of(fields).mapToObj(batch::column).toArray(ColumnVector[]::new);
    first = from;
    int rows = 0;
    long end = 0;
    while (rows < count && end < mostBytes) {
      starts[rows] = (int) end;
      ends[rows] = wordBytes;
      end += wordBytes;
      for (int t = 0; t < fields.length; t++) {
        int length = find(t, rows);
        lengths[t][rows] = length;
        end += bytes(t, length);
      }
      rows++;
    }
    bytes = Math.toIntExact(end);
    starts[rows] = bytes;
    return rows;
  }

  /** Returns how many bytes of a row a text has. */
  private long bytes(int text, int length) {
    return Math.max(Texts.leastBytes(types[text]), length == NULL ? 0 : Texts.padded(length));
  }

  /** Finds a text, and returns its number of bytes. */
  private int find(int text, int row) {
    ColumnVector column = columns[text];
    if (column.isNullAt(first + row)) {
      return NULL;
    } else if (column instanceof TextVector vector) {
      return vector.bytes(first + row);
    }
    UTF8String value = readers[text].read(column, first + row);
    values[text][row] = value;
    return value.numBytes();
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

  /** Writes all texts, and to their words where they are. */
  void write(byte[] block, int rows, int nullBytes) {
    for (int t = 0; t < fields.length; t++) {
      int offset = nullBytes + fields[t] * Long.BYTES;
      for (int row = 0; row < rows; row++) {
        int length = lengths[t][row];
        int bytes = (int) bytes(t, length);
        if (length == NULL && bytes == 0) {
          continue; // its word is written with the null bits
        }
        long start = Platform.BYTE_ARRAY_OFFSET + (long) starts[row];
        int end = ends[row];
        if (bytes == 2 * Long.BYTES) { // which a value may not fill
          Platform.putLong(block, start + end, 0);
          Platform.putLong(block, start + end + Long.BYTES, 0);
        }
        if (length != NULL) {
          copy(t, row, length, block, start + end);
        }
        int told = length == NULL ? Texts.bytesOfNull(types[t]) : length;
        Platform.putLong(block, start + offset, (long) end << Integer.SIZE | told);
        ends[row] = end + bytes;
      }
    }
  }

  private void copy(int text, int row, int length, byte[] to, long offset) {
    if (columns[text] instanceof TextVector vector) {
      vector.copy(first + row, length, to, offset);
    } else {
      UTF8String value = values[text][row];
      Texts.copy(value.getBaseObject(), value.getBaseOffset(), length, to, offset);
    }
  }
}
