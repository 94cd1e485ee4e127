/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.TextRow;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Makes rows of columns that have been collected.
 *
 * @param columnOf for each field, which column of the store it is, or less than 0 for a key
 * @param keyOf for each field, which key it is
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SeriesRows(
    SeriesLayout layout,
    SeriesStore store,
    SeriesNumbers numbers,
    TextStore texts,
    int[] columnOf,
    int[] keyOf) {
  /** Hands out all rows, in no order; each is there until the next. */
  void forEach(Consumer<UnsafeRow> consumer) {
    long[] memory = new long[layout.rows().words()];
    TextRow row = new TextRow(layout.rows());
    for (int series = 0; series < store.count(); series++) {
      for (int at = store.first(series); at >= 0; at = store.next(at)) {
        for (int i = 0; i < store.chunkRows(at); i++) {
          fill(memory, series, at, i);
          row.begin(memory, 0);
          for (int field : layout.texts()) {
            addText(row, series, field, memory[layout.nullWords() + field]);
          }
          consumer.accept(row.row());
        }
      }
    }
  }

  private void addText(TextRow row, int series, int field, long place) {
    if (!row.isNull(field)) {
      UTF8String text =
          columnOf[field] < 0 ? numbers.text(series, keyOf[field]) : texts.text(place);
      row.add(field, text.getBaseObject(), text.getBaseOffset(), text.numBytes());
    }
  }

  /** Makes the words of a row. */
  private void fill(long[] row, int series, int of, int index) {
    int nullWords = layout.nullWords();
    long skipped = (long) index * Long.BYTES;
    Arrays.fill(row, 0);
    for (int word = 0; store.hasNulls(of) && word < nullWords; word++) {
      row[word] = Platform.getLong(store.nullBase(of), store.nullOffset(of, word) + skipped);
    }
    for (int field = 0; field < columnOf.length; field++) {
      if (columnOf[field] >= 0) { // kept for each row, with its nulls
        long at = store.offset(of, columnOf[field]) + skipped;
        row[nullWords + field] = Platform.getLong(store.base(of), at);
        continue;
      }
      int key = keyOf[field];
      row[nullWords + field] = numbers.word(series, key);
      // Where a chunk has bits of nulls, that of the key is among them.
      row[field / Long.SIZE] |= numbers.isNull(series, key) ? 1L << field : 0;
    }
  }
}
