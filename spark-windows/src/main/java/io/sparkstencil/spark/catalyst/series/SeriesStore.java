/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.RowPages;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/**
 * Memory for the columns of series. A series is a chain of chunks, and a chunk has its rows column
 * by column. Words of null bits have memory of their own in a chunk that has a null.
 */
final class SeriesStore extends StoreMemory {
  private static final int FIRST_ROWS = 8;
  private static final long MOST_CHUNK_BYTES = 1L << 16;

  // What is known of a series lies together: here are the places.
  private static final int AT = 0; // where the first column of the next row goes
  private static final int END = 1; // of the first column of the chunk
  private static final int PAGE = 2;
  private static final int STRIDE = 3; // bytes from one column to the next
  private static final int LAST_KEY = 4;
  private static final int UNSORTED = 5;
  private static final int FIRST = 6; // chunk
  private static final int LAST = 7; // chunk
  private static final int ROWS = 8; // of all chunks but the last
  private static final int FIELDS = 9;

  // The same for a chunk.
  private static final int CHUNK_PAGE = 0;
  private static final int CHUNK_AT = 1;
  private static final int CHUNK_STRIDE = 2;
  private static final int CHUNK_ROWS = 3;
  private static final int NEXT = 4;
  private static final int NULL_PAGE = 5;
  private static final int NULL_AT = 6;
  private static final int CHUNK_FIELDS = 7;
  private static final int NONE = -1;

  private final int columns;
  private final int nullWords;
  private final long[] orderNulls; // the null bits of the columns of the order
  private long[] series = new long[0];
  private int count; // of series
  private long[] chunks = new long[0];
  private int chunkCount;

  /**
   * Creates an empty store.
   *
   * @param mostBytes bytes that all rows of the task may take together
   * @param columns how many there are
   * @param orderNulls for each word of null bits, those of the columns of the order
   */
  SeriesStore(RowPages pages, long mostBytes, int columns, long[] orderNulls) {
    super(pages, mostBytes);
    this.columns = columns;
    this.nullWords = orderNulls.length;
    this.orderNulls = orderNulls;
  }

  /**
   * Adds the rows of a batch.
   *
   * @param words the columns
   * @param numbers the series of each row
   * @param keys the first number by which each row is ordered
   * @param ties whether rows with equal keys may be out of order
   * @return the rows that found memory, which are the first of the batch
   */
  int append(WordBatch batch, long[][] words, int[] numbers, long[] keys, boolean ties) {
    boolean nulls = batch.hasNulls();
    int rows = batch.rows();
    for (int row = 0; row < rows; row++) {
      int number = numbers[row];
      if (number >= count && !open(number)) {
        return row;
      }
      int state = number * FIELDS;
      if (series[state + AT] == series[state + END] && !extend(state)) {
        return row;
      }
      if (nulls && !putNulls(batch, row, state)) {
        return row;
      }
      long at = series[state + AT];
      series[state + AT] = at + Long.BYTES;
      long last = series[state + LAST_KEY];
      long key = keys[row];
      if (key < last || (ties && key == last)) {
        series[state + UNSORTED] = 1;
      }
      series[state + LAST_KEY] = key;
      Object base = pageBase((int) series[state + PAGE]);
      long stride = series[state + STRIDE];
      for (long[] column : words) {
        Platform.putLong(base, at, column[row]);
        at += stride;
      }
    }
    return rows;
  }

  /** Does the same with a batch without nulls whose rows are all of the first series. */
  int appendAll(long[][] words, int rows, long[] keys, boolean ties) {
    if (count == 0 && !open(0)) {
      return 0;
    }
    int done = 0;
    while (done < rows && (series[AT] < series[END] || extend(0))) {
      int room = (int) ((series[END] - series[AT]) / Long.BYTES);
      int until = Math.min(rows, done + room);
      long bytes = (long) (until - done) * Long.BYTES;
      long from = Platform.LONG_ARRAY_OFFSET + (long) done * Long.BYTES;
      long at = series[AT];
      for (long[] column : words) {
        Platform.copyMemory(column, from, pageBase((int) series[PAGE]), at, bytes);
        at += series[STRIDE];
      }
      series[AT] += bytes;
      long last = series[LAST_KEY];
      boolean sorted = series[UNSORTED] == 0;
      for (int row = done; row < until; row++) {
        sorted &= keys[row] > last || (!ties && keys[row] == last);
        last = keys[row];
      }
      series[LAST_KEY] = last;
      series[UNSORTED] = sorted ? 0 : 1;
      done = until;
    }
    return done;
  }

  /** Takes memory for rows of series, column after column, and returns where, or -1. */
  long takeOrdered(int number, long rows, boolean nulls) {
    return hasRoom(number, number)
        ? take(rows * Long.BYTES * (columns + (nulls ? nullWords : 0)))
        : -1;
  }

  /** Adds the next series, in the memory taken last; {@code nulls} is -1 if there are none. */
  void adopt(long at, long stride, long nulls, int rows, boolean unsorted) {
    int state = count * FIELDS;
    open(count);
    int made = addChunk(at, stride);
    chunks[made * CHUNK_FIELDS + NULL_PAGE] = nulls < 0 ? NONE : lastPage();
    chunks[made * CHUNK_FIELDS + NULL_AT] = nulls;
    series[state + FIRST] = made;
    series[state + LAST] = made;
    series[state + AT] = at + (long) rows * Long.BYTES;
    series[state + UNSORTED] = unsorted ? 1 : 0;
  }

  /** Makes room for series and chunks; false if there is no memory. */
  private boolean hasRoom(int ofSeries, int ofChunks) {
    long[] more = grown(series, ofSeries * FIELDS, 16 * FIELDS);
    series = more == null ? series : more;
    more = more == null ? null : grown(chunks, ofChunks * CHUNK_FIELDS, 64 * CHUNK_FIELDS);
    chunks = more == null ? chunks : more;
    return more != null;
  }

  /** Returns an array that is long enough, or null if there is no memory. */
  private long[] grown(long[] array, int length, int first) {
    if (length <= array.length) {
      return array;
    }
    int capacity = Math.max(length, Math.max(first, 2 * array.length));
    return reserve((long) (capacity - array.length) * Long.BYTES)
        ? Arrays.copyOf(array, capacity)
        : null;
  }

  private boolean open(int number) {
    if (!hasRoom(number + 1, 0)) {
      return false;
    }
    series[number * FIELDS + LAST_KEY] = Long.MIN_VALUE;
    series[number * FIELDS + FIRST] = NONE;
    series[number * FIELDS + LAST] = NONE;
    count = number + 1;
    return true;
  }

  /** Gives a series another chunk, as large as all before it together. */
  private boolean extend(int state) {
    int last = (int) series[state + LAST];
    long before = last == NONE ? 0 : series[state + ROWS] + lastRows(state);
    long most = MOST_CHUNK_BYTES / Long.BYTES / Math.max(1, columns);
    long stride = Math.max(FIRST_ROWS, Math.min(most, before)) * Long.BYTES;
    if (!hasRoom(0, chunkCount + 1)) {
      return false;
    }
    long from = take(stride * Math.max(1, columns));
    if (from < 0) {
      return false;
    }
    int made = addChunk(from, stride);
    if (last == NONE) {
      series[state + FIRST] = made;
    } else {
      chunks[last * CHUNK_FIELDS + CHUNK_ROWS] = lastRows(state);
      chunks[last * CHUNK_FIELDS + NEXT] = made;
    }
    series[state + ROWS] = before;
    series[state + LAST] = made;
    series[state + PAGE] = lastPage();
    series[state + AT] = from;
    series[state + END] = from + stride;
    series[state + STRIDE] = stride;
    return true;
  }

  /** Adds a chunk in the memory taken last, for which there is room. */
  private int addChunk(long from, long stride) {
    int chunk = chunkCount * CHUNK_FIELDS;
    chunks[chunk + CHUNK_PAGE] = lastPage();
    chunks[chunk + CHUNK_AT] = from;
    chunks[chunk + CHUNK_STRIDE] = stride;
    chunks[chunk + NEXT] = NONE;
    chunks[chunk + NULL_PAGE] = NONE;
    return chunkCount++;
  }

  /** Returns the rows in the last chunk of a series, which has one. */
  private long lastRows(int state) {
    long from = chunks[(int) series[state + LAST] * CHUNK_FIELDS + CHUNK_AT];
    return (series[state + AT] - from) / Long.BYTES;
  }

  private boolean putNulls(WordBatch batch, int row, int state) {
    int chunk = (int) series[state + LAST];
    for (int word = 0; word < nullWords; word++) {
      long bits = batch.nulls(word) == null ? 0 : batch.nulls(word)[row];
      if (bits == 0) {
        continue; // as the memory has it
      }
      if (!hasNulls(chunk) && !addNulls(chunk)) {
        return false;
      }
      if ((bits & orderNulls[word]) != 0) {
        series[state + UNSORTED] = 1;
      }
      long at = nullOffset(chunk, word) + lastRows(state) * Long.BYTES;
      Platform.putLong(nullBase(chunk), at, bits);
    }
    return true;
  }

  private boolean addNulls(int chunk) {
    long bytes = chunks[chunk * CHUNK_FIELDS + CHUNK_STRIDE] * nullWords;
    long from = take(bytes);
    if (from < 0) {
      return false;
    }
    chunks[chunk * CHUNK_FIELDS + NULL_PAGE] = lastPage();
    chunks[chunk * CHUNK_FIELDS + NULL_AT] = from;
    Platform.setMemory(nullBase(chunk), from, bytes, (byte) 0);
    return true;
  }

  /** Says that all rows are there. */
  void settle() {
    for (int number = 0; number < count; number++) {
      int state = number * FIELDS;
      if (series[state + LAST] != NONE) {
        chunks[(int) series[state + LAST] * CHUNK_FIELDS + CHUNK_ROWS] = lastRows(state);
      }
    }
  }

  /** Gives all chunks of a series words of null bits, if one has them; false without memory. */
  boolean spreadNulls(int number) {
    boolean any = false;
    for (int chunk = first(number); chunk != NONE; chunk = next(chunk)) {
      any |= hasNulls(chunk);
    }
    for (int chunk = first(number); any && chunk != NONE; chunk = next(chunk)) {
      if (!hasNulls(chunk) && !addNulls(chunk)) {
        return false;
      }
    }
    return true;
  }

  int count() {
    return count;
  }

  long rows(int number) {
    int state = number * FIELDS;
    return series[state + LAST] == NONE ? 0 : series[state + ROWS] + lastRows(state);
  }

  boolean isUnsorted(int number) {
    return series[number * FIELDS + UNSORTED] != 0;
  }

  /** Returns the first chunk of a series, or -1 if it has no rows. */
  int first(int number) {
    return number < count ? (int) series[number * FIELDS + FIRST] : NONE;
  }

  /** Returns the chunk after another, or -1 after the last. */
  int next(int chunk) {
    return (int) chunks[chunk * CHUNK_FIELDS + NEXT];
  }

  int chunkRows(int chunk) {
    return (int) chunks[chunk * CHUNK_FIELDS + CHUNK_ROWS];
  }

  Object base(int chunk) {
    return pageBase((int) chunks[chunk * CHUNK_FIELDS + CHUNK_PAGE]);
  }

  long offset(int chunk, int column) {
    int at = chunk * CHUNK_FIELDS;
    return chunks[at + CHUNK_AT] + column * chunks[at + CHUNK_STRIDE];
  }

  boolean hasNulls(int chunk) {
    return chunks[chunk * CHUNK_FIELDS + NULL_PAGE] != NONE;
  }

  Object nullBase(int chunk) {
    return pageBase((int) chunks[chunk * CHUNK_FIELDS + NULL_PAGE]);
  }

  long nullOffset(int chunk, int word) {
    int at = chunk * CHUNK_FIELDS;
    return chunks[at + NULL_AT] + word * chunks[at + CHUNK_STRIDE];
  }

  /** Gives all memory back and forgets all rows. */
  void clear() {
    release();
    series = new long[0];
    count = 0;
    chunks = new long[0];
    chunkCount = 0;
  }
}
