/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.TextRow;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

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
    PrimitiveIterator.OfInt all = IntStream.range(0, store.count()).iterator();
    Rows rows = new Rows(() -> all.hasNext() ? all.nextInt() : -1);
    while (rows.hasNext()) {
      consumer.accept(rows.next());
    }
  }

  /**
   * Returns the rows of series as they lie; each is there until the next.
   *
   * @param next returns the next series that has rows, or -1 after the last
   */
  Iterator<InternalRow> of(IntSupplier next) {
    return new Rows(next);
  }

  private final class Rows extends AbstractIterator<InternalRow> {
    private final IntSupplier next;
    private final long[] memory = new long[layout.rows().words()];
    private final TextRow row = new TextRow(layout.rows());
    private int series;
    private int chunk = -1;
    private int inChunk; // next row

    Rows(IntSupplier next) {
      this.next = next;
    }

    @Override
    public boolean hasNext() {
      while (chunk < 0 || inChunk == store.chunkRows(chunk)) {
        if (chunk >= 0) {
          chunk = store.next(chunk);
        } else {
          series = next.getAsInt();
          if (series < 0) {
            return false;
          }
          chunk = store.first(series);
        }
        inChunk = 0;
      }
      return true;
    }

    @Override
    public UnsafeRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      fill(memory, series, chunk, inChunk++);
      row.begin(memory, 0);
      for (int field : layout.texts()) {
        addText(row, series, field, memory[layout.nullWords() + field]);
      }
      return row.row();
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
