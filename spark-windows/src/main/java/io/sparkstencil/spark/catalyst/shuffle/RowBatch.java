/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import scala.collection.Iterator;

/**
 * Rows on their way into a shuffle, and the bytes that they are shuffled as.
 *
 * <pre>
 *   int rows, int 0, then
 *   rows of one length:   for each word of a row: its column, as {@link PackedColumns} says
 *   rows with texts:      the same, where the word of a text is its number of bytes; then the
 *                         bytes of each column of texts, as {@link PackedBytes} says
 *   rows of any length:   for each row: long bytes, the row
 * </pre>
 *
 * Neighbouring rows of a range or a series have much in common: bits of nulls, keys, high bytes of
 * times. What is left is a fraction of the bytes to compress, write, read and decompress.
 */
final class RowBatch implements OpenRows {
  /** In the word of a text; above it is where in the row these bytes lie. */
  private static final long BYTES_OF_TEXT = 0xFFFFFFFFL;

  private final RowLayout layout;
  private final ColumnCodes codes;
  private final boolean fixed; // whether all rows have one length
  private final int mostWords;
  private long[] words = new long[0];
  private int[] starts = new int[0]; // the word of each row, where rows differ in length
  private int used; // words
  private int rows;

  /**
   * Creates a batch that is full after about {@code mostBytes}.
   *
   * @param codes of all batches of its writer
   */
  RowBatch(RowLayout layout, ColumnCodes codes, int mostBytes) {
    this.layout = layout;
    this.codes = codes;
    this.fixed = layout.isFixed();
    this.mostWords = Math.max(Math.max(1, layout.words()), mostBytes / Long.BYTES);
  }

  @Override
  public int rows() {
    return rows;
  }

  /** Tells whether a row of so many bytes has to wait until this batch has been emptied. */
  boolean isFullFor(int sizeBytes) {
    return rows > 0 && used + wordsFor(sizeBytes) > mostWords;
  }

  private int wordsFor(int sizeBytes) {
    return sizeBytes / Long.BYTES + (fixed ? 0 : 1);
  }

  void add(UnsafeRow row) {
    int sizeBytes = row.getSizeInBytes();
    int needed = used + wordsFor(sizeBytes);
    if (needed > words.length) {
      int first = Math.min(mostWords, 128);
      words =
          Arrays.copyOf(words, Math.max(needed, Math.min(mostWords, Math.max(first, 2 * used))));
    }
    if (!fixed) {
      if (rows == starts.length) {
        starts = Arrays.copyOf(starts, Math.max(16, 2 * rows));
      }
      starts[rows] = used;
      words[used++] = sizeBytes;
    }
    Object base = row.getBaseObject();
    long offset = row.getBaseOffset();
    for (int i = 0; i < sizeBytes; i += Long.BYTES) {
      words[used++] = Platform.getLong(base, offset + i);
    }
    rows++;
  }

  @Override
  public long word(int word, int row) {
    return words[start(row) + word];
  }

  @Override
  public void point(UnsafeRow target, int row) {
    long sizeBytes = fixed ? (long) layout.words() * Long.BYTES : words[starts[row]];
    long offset = Platform.LONG_ARRAY_OFFSET + (long) start(row) * Long.BYTES;
    target.pointTo(words, offset, (int) sizeBytes);
  }

  /** Returns rows as a batch of their own. */
  static byte[] pack(Iterator<? extends InternalRow> rows, RowLayout layout) {
    RowBatch batch = new RowBatch(layout, layout.codes(), Integer.MAX_VALUE);
    while (rows.hasNext()) {
      batch.add((UnsafeRow) rows.next());
    }
    byte[] target = new byte[batch.mostBytes()];
    return Arrays.copyOf(target, batch.write(target));
  }

  /** Returns the most bytes that {@link #write} may need. */
  int mostBytes() {
    int texts = (int) (layout.texts().size() * PackedBytes.mostBytes(0));
    return PackedColumns.mostBytes(layout.words(), used) + texts;
  }

  /** Writes all rows to {@code target}, forgets them, and returns the number of bytes. */
  int write(byte[] target) {
    long at = PackedColumns.writeRows(target, rows);
    if (layout.words() == 0) {
      Platform.copyMemory(words, Platform.LONG_ARRAY_OFFSET, target, at, (long) used * Long.BYTES);
      at += (long) used * Long.BYTES;
    } else {
      at = writeColumns(target, at);
    }
    used = 0;
    rows = 0;
    return (int) (at - Platform.BYTE_ARRAY_OFFSET);
  }

  private long writeColumns(byte[] target, long columns) {
    long at = columns;
    long[][] lengths = new long[layout.texts().size()][rows]; // of texts
    long[] others = new long[rows];
    int gathered = 0; // columns of texts
    for (int word = 0; word < layout.words(); word++) {
      boolean text = layout.isText(word - layout.word(0));
      long[] column = text ? lengths[gathered++] : others;
      gather(word, column);
      if (text) {
        toBytes(word - layout.word(0), column);
      }
      at = codes.write(word, column, 0, rows, target, at);
    }
    for (int text = 0; text < lengths.length; text++) {
      int word = layout.word(layout.texts().get(text));
      long count = LongStream.of(lengths[text]).sum();
      if (PackedBytes.isTried(count)) {
        byte[] bytes = new byte[(int) count];
        copyTexts(word, bytes, Platform.BYTE_ARRAY_OFFSET);
        at = codes.writeTexts(text, bytes, bytes.length, lengths[text], 0, rows, target, at);
      } else {
        copyTexts(word, target, PackedBytes.writePlainHeader(target, at, count));
        at += PackedBytes.plainBytes(count);
      }
    }
    return at;
  }

  /** Returns where a row begins among the words. */
  private int start(int row) {
    return fixed ? row * layout.words() : starts[row] + 1;
  }

  /** Copies a word of all rows. */
  private void gather(int word, long[] column) {
    for (int row = 0; row < rows; row++) {
      column[row] = words[start(row) + word];
    }
  }

  /** Makes numbers of bytes of words of texts; a null has none, whatever its word tells of. */
  private void toBytes(int field, long[] column) {
    for (int row = 0; row < rows; row++) {
      column[row] = isNull(row, field) ? 0 : column[row] & BYTES_OF_TEXT;
    }
  }

  private boolean isNull(int row, int field) {
    return (words[start(row) + field / Long.SIZE] >>> field & 1) != 0;
  }

  /** Copies the bytes of a text of all rows, one after the other. */
  private void copyTexts(int word, byte[] target, long at) {
    int field = word - layout.word(0);
    long to = at;
    for (int row = 0; row < rows; row++) {
      long lies = words[start(row) + word];
      long from = Platform.LONG_ARRAY_OFFSET + (long) start(row) * Long.BYTES;
      long bytes = isNull(row, field) ? 0 : lies & BYTES_OF_TEXT;
      Platform.copyMemory(words, from + (lies >>> Integer.SIZE), target, to, bytes);
      to += bytes;
    }
  }

  /** Returns where the rows of a written batch begin, if they may have any length. */
  static long firstRow(UnsafeRow batch) {
    return batch.getBaseOffset() + PackedColumns.HEADER_BYTES;
  }

  /**
   * Reads the words of the rows of a written batch, unless rows were written as they are.
   *
   * @param target an array to write to, or a larger one is made
   */
  static long[] read(UnsafeRow batch, RowLayout layout, long[] target) {
    int stride = layout.words();
    int length = PackedColumns.rows(batch) * stride;
    long[] words = target.length >= length ? target : new long[length];
    long at = firstRow(batch);
    for (int word = 0; word < stride; word++) {
      PackedColumns.read(batch, at, words, word, stride, length);
      at = PackedColumns.next(batch, at);
    }
    return words;
  }
}
