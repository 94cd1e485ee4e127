/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnValues;
import io.sparkstencil.spark.catalyst.columns.TextReader;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.shuffle.PackedBytes;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** The texts of a column of a {@link WordBatch}, whose words are their numbers of bytes. */
final class TextColumn {
  private static final long SEED = 42;

  /** Bytes of copies that are kept for the next rows. */
  private static final int MOST_KEPT = 1 << 22;

  private UTF8String[] values; // where each text of a scan lies by itself, else null
  private TextReader each; // of these
  private Object base; // where all of them lie
  private long[] offsets = new long[0]; // there, of each row
  private long[] lengths = new long[0]; // their numbers of bytes
  private long[] room = new long[0]; // for those of a scan
  private byte[] copies = new byte[0]; // of those of rows
  private boolean shuffled; // and lie one after the other
  private long bytes; // of all that were shuffled
  private final PackedBytes.Reader reader = new PackedBytes.Reader(); // of these

  /** Reads the texts of a scan, where they lie, and returns their numbers of bytes. */
  long[] read(ColumnVector vector, DataType type, int rows) {
    shuffled = false;
    lengths = room.length < rows ? new long[rows] : room;
    room = lengths;
    if (Texts.isText(type)
        && ColumnValues.isOfSpark(vector)
        && vector instanceof WritableColumnVector plain
        && !plain.hasDictionary()) {
      values = null;
      readTogether(plain, rows);
    } else {
      readEach(vector, type, rows);
    }
    return lengths;
  }

  private void readTogether(WritableColumnVector vector, int rows) {
    offsets = offsets.length < rows ? new long[rows] : offsets;
    boolean nulls = vector.hasNull();
    boolean located = false;
    long start = 0; // of the bytes of all
    for (int i = 0; i < rows; i++) {
      if (nulls && vector.isNullAt(i)) {
        lengths[i] = 0;
        continue;
      }
      long at = vector.getArrayOffset(i);
      if (!located) {
        UTF8String first = vector.getUTF8String(i);
        base = first.getBaseObject();
        start = first.getBaseOffset() - at;
        located = true;
      }
      offsets[i] = start + at;
      lengths[i] = vector.getArrayLength(i);
    }
  }

  /**
   * Begins texts of rows, which are copied.
   *
   * @return their numbers of bytes
   */
  long[] begin(int most) {
    shuffled = false;
    values = null;
    bytes = 0;
    room = room.length < most ? new long[most] : room;
    lengths = room;
    offsets = offsets.length <= most ? new long[most + 1] : offsets;
    offsets[0] = Platform.BYTE_ARRAY_OFFSET;
    copies = copies.length > MOST_KEPT ? new byte[0] : copies;
    base = copies;
    return lengths;
  }

  /** Copies the text of the row that is next. */
  void add(int row, Object from, long offset, int count) {
    if (copies.length - bytes < count) {
      copies = OpenTexts.grown(copies, bytes + count);
      base = copies;
    }
    lengths[row] = count;
    Texts.copyBytes(from, offset, count, copies, offsets[row]);
    bytes += count;
    offsets[row + 1] = offsets[row] + count;
  }

  /** Returns a text that {@link #add} has copied, whatever the numbers of bytes have become. */
  UTF8String copied(int row) {
    return UTF8String.fromAddress(base, offsets[row], (int) (offsets[row + 1] - offsets[row]));
  }

  private void readEach(ColumnVector vector, DataType type, int rows) {
    values = values == null || values.length < rows ? new UTF8String[rows] : values;
    boolean nulls = ColumnValues.mayHaveNulls(vector);
    each = each == null ? new TextReader(type) : each;
    for (int i = 0; i < rows; i++) {
      UTF8String value = nulls && vector.isNullAt(i) ? UTF8String.EMPTY_UTF8 : each.read(vector, i);
      values[i] = value;
      lengths[i] = value.numBytes();
    }
  }

  /** Reads texts that were shuffled, and returns where those of the next column lie. */
  long read(Object from, long at, long[] ofBytes, int rows) {
    shuffled = true;
    values = null;
    lengths = ofBytes;
    bytes = 0;
    for (int i = 0; i < rows; i++) {
      bytes += ofBytes[i];
    }
    offsets = offsets.length == 0 ? new long[1] : offsets;
    reader.find(from, at, bytes, lengths, rows);
    base = reader.base();
    offsets[0] = reader.offset();
    return PackedBytes.next(from, at);
  }

  /** Makes each text that was shuffled known by its row, as those of a scan are. */
  void locate(int rows) {
    if (shuffled && rows > 0) {
      offsets = offsets.length < rows ? Arrays.copyOf(offsets, rows) : offsets;
      for (int i = 1; i < rows; i++) {
        offsets[i] = offsets[i - 1] + lengths[i - 1];
      }
    }
  }

  /** Returns hashes of the texts, each of which is known by its row. */
  long[] hashes(int rows) {
    long[] hashes = new long[rows];
    for (int i = 0; i < rows; i++) {
      UTF8String value = value(i);
      hashes[i] =
          XXH64.hashUnsafeBytes(
              value.getBaseObject(), value.getBaseOffset(), value.numBytes(), SEED);
    }
    return hashes;
  }

  /** Returns the text of a row that is known, or an empty one for a null. */
  UTF8String value(int row) {
    if (values != null) {
      return values[row];
    }
    return lengths[row] == 0
        ? UTF8String.EMPTY_UTF8
        : UTF8String.fromAddress(base, offsets[row], (int) lengths[row]);
  }

  /**
   * Adds the bytes of rows that are known, one after the other, each to an array.
   *
   * @param targets for each row, the array
   * @param arrays these, which are made anew if they have no room
   * @param used the bytes of each array
   */
  void append(int[] targets, int from, int until, byte[][] arrays, int[] used) {
    Object lies = base; // fields would be read for each row
    long[] at = offsets;
    long[] ofBytes = lengths;
    for (int row = from; row < until; row++) {
      int target = targets[row];
      int bytes = (int) ofBytes[row];
      int begin = used[target];
      byte[] to = arrays[target];
      if (to.length - begin < bytes) {
        to = OpenTexts.grown(to, (long) begin + bytes);
        arrays[target] = to;
      }
      long offset = Platform.BYTE_ARRAY_OFFSET + (long) begin;
      if (values == null) {
        Texts.copyBytes(lies, at[row], bytes, to, offset);
      } else {
        values[row].writeToMemory(to, offset);
      }
      used[target] = begin + bytes;
    }
  }

  Object base() {
    return base;
  }

  /** Returns where the texts that were shuffled begin. */
  long offset() {
    return offsets[0];
  }

  long bytes() {
    return bytes;
  }
}
