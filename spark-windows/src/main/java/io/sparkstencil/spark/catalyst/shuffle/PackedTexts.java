/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The bytes of the texts of a batch, after its columns of words: for each column of texts, as
 * {@link PackedBytes} has them. The words of such columns are numbers of bytes.
 */
public final class PackedTexts {
  private PackedTexts() {}

  /**
   * Returns the most bytes that a batch may need.
   *
   * @param columns columns of words
   * @param texts columns of texts among them
   * @param bytes those of all texts
   * @throws IllegalArgumentException if the texts of a row are too long for any row of Spark's
   */
  public static int mostBytes(int columns, int rows, int texts, long bytes) {
    long most = PackedColumns.mostBytes(columns, columns * rows) + bytes;
    most += texts * PackedBytes.mostBytes(0);
    if (most > Integer.MAX_VALUE - Long.BYTES) {
      throw new IllegalArgumentException(
          ("the strings and binary values of a row have %d bytes; all of a row can have %d at most;"
                  + " leave out or shorten one of these columns")
              .formatted(bytes, Integer.MAX_VALUE - Long.BYTES));
    }
    return (int) most;
  }

  /** Returns where the texts of a batch of so many columns of words begin. */
  static long begin(UnsafeRow batch, int columns) {
    long at = RowBatch.firstRow(batch);
    for (int i = 0; i < columns; i++) {
      at = PackedColumns.next(batch, at);
    }
    return at;
  }

  /** The rows of a batch, one after the other. */
  static final class Rows {
    private final RowLayout layout;
    private final TextRow row;
    private final long[] next; // for each column of texts, where the next lies
    private long[] words = new long[0];
    private long[] lengths = new long[0]; // of the texts of a column
    private final PackedBytes.Reader[] readers; // for each column of texts
    private int first; // word of the next row

    Rows(RowLayout layout) {
      this.layout = layout;
      this.row = new TextRow(layout);
      this.next = new long[layout.texts().size()];
      this.readers =
          Stream.generate(PackedBytes.Reader::new)
              .limit(next.length)
              .toArray(PackedBytes.Reader[]::new);
    }

    void open(UnsafeRow batch) {
      words = RowBatch.read(batch, layout, words);
      first = 0;
      int rows = PackedColumns.rows(batch);
      lengths = lengths.length < rows ? new long[rows] : lengths;
      long at = begin(batch, layout.words());
      for (int t = 0; t < next.length; t++) {
        int word = layout.word(layout.texts().get(t));
        long bytes = 0;
        for (int row = 0; row < rows; row++) {
          lengths[row] = words[row * layout.words() + word];
          bytes += lengths[row];
        }
        readers[t].find(batch.getBaseObject(), at, bytes, lengths, rows);
        next[t] = readers[t].offset();
        at = PackedBytes.next(batch.getBaseObject(), at);
      }
    }

    UnsafeRow next() {
      row.begin(words, first);
      for (int t = 0; t < next.length; t++) {
        int field = layout.texts().get(t);
        if (row.isNull(field)) {
          row.addNull(t);
        } else {
          int bytes = (int) words[first + layout.word(field)];
          row.add(t, readers[t].base(), next[t], bytes);
          next[t] += bytes;
        }
      }
      first += layout.words();
      return row.row();
    }
  }
}
