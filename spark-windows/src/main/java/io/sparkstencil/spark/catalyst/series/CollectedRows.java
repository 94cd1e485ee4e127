/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.WholeSeries;
import io.sparkstencil.spark.catalyst.shuffle.TextRow;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
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
record CollectedRows(
    SeriesLayout layout,
    SeriesStore store,
    SeriesNumbers numbers,
    TextStore texts,
    int[] columnOf,
    int[] keyOf) {
  /** Hands out all rows, in no order; each is there until the next. */
  void forEach(Consumer<UnsafeRow> consumer) {
    Cursor cursor = new Cursor();
    for (int series = 0; series < store.count(); series++) {
      cursor.enter(series);
      while (cursor.hasNext()) {
        consumer.accept(cursor.next());
      }
    }
  }

  /**
   * Returns the rows of series as they lie.
   *
   * @param next returns the next series that has rows, or -1 after the last
   * @param onEnd called once, after the last row
   */
  RowSource of(IntSupplier next, Runnable onEnd) {
    return new Source(next, onEnd);
  }

  /** The rows of all series, one series after the other. */
  private final class Source implements RowSource {
    private final IntSupplier next;
    private final Runnable onEnd;
    private final Cursor cursor = new Cursor();
    private boolean starts;
    private boolean begun; // whether there was a row
    private boolean ended;

    Source(IntSupplier next, Runnable onEnd) {
      this.next = next;
      this.onEnd = onEnd;
    }

    @Override
    public boolean advance() {
      starts = false;
      if (!cursor.hasNext() && !enterNext()) {
        return false;
      }
      cursor.next();
      return true;
    }

    private boolean enterNext() {
      int series = ended ? -1 : next.getAsInt();
      if (series < 0) {
        if (!ended) {
          ended = true;
          onEnd.run();
        }
        return false;
      }
      cursor.enter(series);
      starts = begun;
      begun = true;
      return true;
    }

    @Override
    public UnsafeRow row() {
      return cursor.row;
    }

    @Override
    public boolean startsSeries() {
      return starts;
    }

    @Override
    public WholeSeries series() {
      int series = cursor.series;
      return new WholeSeries() {
        @Override
        public long size() {
          return store.rows(series);
        }

        @Override
        public Iterator<UnsafeRow> rows() {
          Cursor another = new Cursor();
          another.enter(series);
          return another;
        }
      };
    }
  }

  /** A place in a series. */
  private final class Cursor extends AbstractIterator<UnsafeRow> {
    private final UnsafeRow row;
    private final TextRow withTexts; // null if there are none
    private final long[] words = new long[layout.rows().words()];
    private final int[] columns; // of the store, with the word of each
    private final int[] wordOf;
    private final long[] at; // where the chunk has the columns
    private final long[] keyNulls = new long[layout.nullWords()];
    private int series;
    private int chunk = -1;
    private int chunkRows;
    private int inChunk; // next row

    Cursor() {
      int[] fields = layout.others();
      this.columns = Arrays.stream(fields).map(field -> columnOf[field]).toArray();
      this.wordOf = Arrays.stream(fields).map(field -> layout.nullWords() + field).toArray();
      this.at = new long[fields.length];
      this.withTexts = layout.hasTexts() ? new TextRow(layout.rows()) : null;
      this.row = withTexts == null ? new UnsafeRow(columnOf.length) : withTexts.row();
      if (withTexts == null) {
        row.pointTo(words, Platform.LONG_ARRAY_OFFSET, words.length * Long.BYTES);
      }
    }

    /** Moves before the first row of a series. */
    void enter(int number) {
      series = number;
      Arrays.fill(keyNulls, 0);
      int[] keys = layout.keys();
      for (int key = 0; key < keys.length; key++) {
        words[layout.nullWords() + keys[key]] = numbers.word(series, key);
        if (numbers.isNull(series, key)) {
          keyNulls[keys[key] / Long.SIZE] |= 1L << keys[key];
        }
      }
      openChunk(store.first(series));
    }

    private void openChunk(int number) {
      chunk = number;
      chunkRows = chunk < 0 ? 0 : store.chunkRows(chunk);
      inChunk = 0;
      for (int c = 0; chunk >= 0 && c < at.length; c++) {
        at[c] = store.offset(chunk, columns[c]);
      }
      System.arraycopy(keyNulls, 0, words, 0, keyNulls.length);
    }

    @Override
    public boolean hasNext() {
      while (inChunk == chunkRows && chunk >= 0) {
        openChunk(store.next(chunk));
      }
      return chunk >= 0;
    }

    @Override
    public UnsafeRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long skipped = (long) inChunk * Long.BYTES;
      inChunk++;
      Object base = store.base(chunk);
      for (int c = 0; c < at.length; c++) {
        words[wordOf[c]] = Platform.getLong(base, at[c] + skipped);
      }
      if (store.hasNulls(chunk)) {
        addNulls(skipped);
      }
      if (withTexts != null) {
        addTexts();
      }
      return row;
    }

    private void addNulls(long skipped) {
      Object base = store.nullBase(chunk);
      for (int word = 0; word < keyNulls.length; word++) {
        long nulls = Platform.getLong(base, store.nullOffset(chunk, word) + skipped);
        words[word] = nulls | keyNulls[word];
      }
    }

    private void addTexts() {
      withTexts.begin(words, 0);
      int[] fields = layout.texts();
      for (int t = 0; t < fields.length; t++) {
        int field = fields[t];
        if (withTexts.isNull(field)) {
          withTexts.addNull(t);
        } else {
          UTF8String text =
              columnOf[field] < 0
                  ? numbers.text(series, keyOf[field])
                  : texts.text(words[layout.nullWords() + field]);
          withTexts.add(t, text.getBaseObject(), text.getBaseOffset(), text.numBytes());
        }
      }
    }
  }
}
