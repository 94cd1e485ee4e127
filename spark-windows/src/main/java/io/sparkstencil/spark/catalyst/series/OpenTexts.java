/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.ColumnCodes;
import io.sparkstencil.spark.catalyst.shuffle.RowLayout;
import io.sparkstencil.spark.catalyst.shuffle.TextRow;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** The texts of batches that are still open, one for each partition of a shuffle. */
final class OpenTexts {
  private static final long MOST_BYTES = Integer.MAX_VALUE - 8; // of an array
  private static final int FIRST_BYTES = 256;

  private final WordBatch batch;
  private final int[] fields; // the columns
  private final RowLayout rowLayout;
  private final int mostBytes; // of a batch
  private final int rowBytes; // of the words of a row
  private final byte[][][] open; // for each column and partition
  private final int[][] used;
  private final int[] lengthWords; // for each column, the word of a row that has its bytes
  private final ColumnCodes codes;
  private final long[][] lengths; // for each column, the bytes of each text of the batch
  private final int[] filled; // for each partition: bytes, with those of words

  /**
   * Creates batches without texts.
   *
   * @param codes of all columns
   * @param mostBytes bytes of a batch from which on it is full
   */
  OpenTexts(
      WordBatch batch, SeriesLayout layout, ColumnCodes codes, int partitions, int mostBytes) {
    this.batch = batch;
    this.fields = layout.texts();
    this.rowLayout = layout.rows();
    this.mostBytes = mostBytes;
    this.rowBytes = layout.rows().words() * Long.BYTES;
    this.open = new byte[fields.length][partitions][0];
    this.used = new int[fields.length][partitions];
    this.filled = new int[partitions];
    this.lengths = new long[fields.length][];
    this.lengthWords = IntStream.of(fields).map(field -> layout.nullWords() + field).toArray();
    this.codes = codes;
  }

  /** Begins with the batch as it has been read. */
  void begin() {
    for (int t = 0; t < fields.length; t++) {
      lengths[t] = batch.values(fields[t]);
    }
  }

  /** Counts the texts of a row, and tells whether they make the batch of a partition full. */
  boolean count(int row, int partition) {
    long sum = (long) filled[partition] + rowBytes;
    for (long[] each : lengths) {
      sum += each[row];
    }
    filled[partition] = (int) Math.min(sum, Integer.MAX_VALUE);
    return sum >= mostBytes;
  }

  /** Adds the texts of rows that have been counted, each to its partition of {@code targets}. */
  void add(int[] targets, int from, int until) {
    for (int t = 0; t < fields.length; t++) {
      batch.texts(fields[t]).append(targets, from, until, open[t], used[t]);
    }
  }

  /** Returns an array that begins as another one and has room for so many bytes. */
  static byte[] grown(byte[] before, long needed) {
    if (needed > MOST_BYTES) {
      throw new IllegalArgumentException(
          ("the strings and binary values of a batch have %d bytes; all of a batch can have %d at"
                  + " most; leave out or shorten one of these columns")
              .formatted(needed, MOST_BYTES));
    }
    long capacity = Math.max(FIRST_BYTES, Math.max(needed, 2L * before.length));
    return Arrays.copyOf(before, (int) Math.min(MOST_BYTES, capacity));
  }

  /**
   * Returns rows of a partition's batch with their texts.
   *
   * @param words for each word of a row those of some rows, where texts have their bytes
   * @param first the first row
   * @param count how many rows the batch has
   */
  Rows rows(int partition, long[][] words, int first, int count) {
    int[][] starts = new int[fields.length][count];
    for (int t = 0; t < fields.length; t++) {
      for (int i = 1; i < count; i++) {
        starts[t][i] = starts[t][i - 1] + (int) words[lengthWords[t]][first + i - 1];
      }
    }
    return new Rows(partition, starts, new TextRow(rowLayout));
  }

  /** Rows of a batch that is still open. */
  final class Rows {
    private final int partition;
    private final int[][] starts; // of each text, for each column
    private final TextRow row;

    private Rows(int partition, int[][] starts, TextRow row) {
      this.partition = partition;
      this.starts = starts;
      this.row = row;
    }

    /** Returns a row with its words, which is there until another is asked for. */
    UnsafeRow row(long[] words, int index) {
      row.begin(words, 0);
      for (int t = 0; t < fields.length; t++) {
        if (row.isNull(fields[t])) {
          row.addNull(t);
        } else {
          long from = Platform.BYTE_ARRAY_OFFSET + (long) starts[t][index];
          row.add(t, open[t][partition], from, (int) words[lengthWords[t]]);
        }
      }
      return row.row();
    }
  }

  int columns() {
    return fields.length;
  }

  /** Returns the bytes of all texts of a partition's batch. */
  long bytes(int partition) {
    long bytes = 0;
    for (int[] each : used) {
      bytes += each[partition];
    }
    return bytes;
  }

  /**
   * Writes the texts of a partition, forgets them, and returns where the next bytes go.
   *
   * @param words for each word of a row those of some rows, where texts have their bytes
   * @param first the first row
   * @param until behind the last row
   */
  long write(int partition, long[][] words, int first, int until, byte[] target, long at) {
    long next = at;
    for (int t = 0; t < fields.length; t++) {
      byte[] from = open[t][partition];
      long[] bytes = words[lengthWords[t]];
      next = codes.writeTexts(t, from, used[t][partition], bytes, first, until, target, next);
      used[t][partition] = 0;
      if (from.length > 2 * mostBytes) {
        open[t][partition] = new byte[0]; // rows as long as that are few
      }
    }
    filled[partition] = 0;
    return next;
  }
}
