/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Reads the rows of a series that has been collected as columns, from one row on. Used by one
 * thread.
 */
public final class SeriesReader implements SeriesCursor {
  private final SeriesLayout layout;
  private final SeriesStore store;
  private final SeriesNumbers numbers;
  private final int[] columnOf;
  private final int[] keyOf;
  private final long[][] keyPlaces;
  private final int series;
  private int chunk;
  private int inChunk; // next row
  private long remaining; // rows of the series

  /**
   * Creates a reader before the first row.
   *
   * @param columnOf for each field, which column of the store it is, or less than 0 for a key
   * @param keyOf for each field, which key it is
   * @param keyPlaces for each key that is a text, and each series, where it lies
   */
  SeriesReader(
      SeriesLayout layout,
      SeriesStore store,
      SeriesNumbers numbers,
      int[] columnOf,
      int[] keyOf,
      long[][] keyPlaces,
      int series) {
    this.layout = layout;
    this.store = store;
    this.numbers = numbers;
    this.columnOf = columnOf;
    this.keyOf = keyOf;
    this.keyPlaces = keyPlaces;
    this.series = series;
    this.chunk = store.first(series);
    this.remaining = store.rows(series);
  }

  @Override
  public SeriesReader copy() {
    SeriesReader copy =
        new SeriesReader(layout, store, numbers, columnOf, keyOf, keyPlaces, series);
    copy.chunk = chunk;
    copy.inChunk = inChunk;
    copy.remaining = remaining;
    return copy;
  }

  @Override
  public long remaining() {
    return remaining;
  }

  /** Passes over rows. */
  void skip(long count) {
    for (long left = count; left > 0; ) {
      int rows = (int) Math.min(left, Integer.MAX_VALUE);
      read(rows, List.of(), new CellColumn[0]);
      left -= rows;
    }
  }

  /** Leaves out all but the next rows. */
  void limit(long rows) {
    remaining = Math.min(remaining, rows);
  }

  @Override
  public void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to) {
    for (int left = count; left > 0; ) {
      int rows = Math.min(left, store.chunkRows(chunk) - inChunk);
      for (int c = 0; c < to.length; c++) {
        if (to[c] != null) {
          append(sources.get(c).ordinal(), rows, to[c]);
        }
      }
      left -= rows;
      inChunk += rows;
      if (inChunk == store.chunkRows(chunk)) {
        chunk = store.next(chunk);
        inChunk = 0;
      }
    }
    remaining -= count;
  }

  private void append(int field, int rows, CellColumn to) {
    if (field == CellReader.ROW) {
      int at = to.reserve(rows);
      Arrays.fill((long[]) to.array(), at, at + rows, 1);
      return;
    }
    int column = columnOf[field];
    if (column < 0) {
      appendKey(field, rows, to);
      return;
    }
    int at = to.length();
    long from = store.offset(chunk, column) + (long) inChunk * Long.BYTES;
    WordCells.append(store.base(chunk), from, rows, layout.word(field), to);
    if (store.hasNulls(chunk)) {
      long nulls = store.nullOffset(chunk, field / Long.SIZE) + (long) inChunk * Long.BYTES;
      for (int i = 0; i < rows; i++, nulls += Long.BYTES) {
        if ((Platform.getLong(store.nullBase(chunk), nulls) >>> field & 1) != 0) {
          to.setNull(at + i);
        }
      }
    }
  }

  private void appendKey(int field, int rows, CellColumn to) {
    int key = keyOf[field];
    int at = to.length();
    long word = layout.isText(field) ? keyPlaces[key][series] : numbers.word(series, key);
    WordCells.appendSame(word, rows, layout.word(field), to);
    for (int i = 0; numbers.isNull(series, key) && i < rows; i++) {
      to.setNull(at + i);
    }
  }
}
