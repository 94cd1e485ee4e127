/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.Texts;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The texts of a {@link SeriesStore}, in its pages. The word of a text is its place:
 *
 * <pre>
 *   13 bits page, 31 bits offset in the page, 20 bits bytes
 * </pre>
 *
 * Those of a batch lie as they were shuffled, one after the other. If they are too many for that,
 * each has its bytes in a word before it, and all 20 bits are set.
 */
final class TextStore implements TextMemory {
  private static final long NONE = -1; // no place, as texts begin at whole words
  private static final int LENGTH_BITS = 20;
  private static final int OFFSET_BITS = 31;
  private static final int LONG = (1 << LENGTH_BITS) - 1;

  /** The most bytes of a text that has no word before it. */
  static final int MOST_BYTES = LONG - 1;

  private static final long MOST_OFFSET = (1L << OFFSET_BITS) - 1;

  /** Bytes of a batch that are kept as they were shuffled; few enough to fit in what pages have. */
  private static final long MOST_TOGETHER = 1 << 17;

  private final SeriesStore store;

  TextStore(SeriesStore store) {
    this.store = store;
  }

  /** Keeps the texts of a batch, and makes places of their numbers of bytes; false without room. */
  boolean add(TextColumn texts, long[] words, int rows) {
    if (texts.bytes() > MOST_TOGETHER) {
      return addEach(texts, words, rows);
    }
    long at = store.take(Texts.padded(texts.bytes()));
    if (at < 0) {
      return false;
    }
    int page = store.lastPage();
    Platform.copyMemory(texts.base(), texts.offset(), store.pageBase(page), at, texts.bytes());
    toPlaces(words, rows, page, at - store.pageOffset(page));
    return true;
  }

  /**
   * Makes places of the numbers of bytes of texts that lie one after the other.
   *
   * @param begin of the first in its page
   */
  static void toPlaces(long[] words, int rows, int page, long begin) {
    long place = place(page, begin);
    for (int i = 0; i < rows; i++) {
      long bytes = words[i];
      words[i] = place | bytes;
      place += bytes << LENGTH_BITS;
    }
  }

  private boolean addEach(TextColumn texts, long[] words, int rows) {
    long from = texts.offset();
    for (int i = 0; i < rows; i++) {
      long bytes = words[i];
      if (bytes > 0) {
        words[i] = addOne(texts.base(), from, bytes);
        if (words[i] == NONE) {
          return false;
        }
        from += bytes;
      }
    }
    return true;
  }

  /** Keeps a text, and returns its place, or -1 without room. */
  long addOne(UTF8String text) {
    return addOne(text.getBaseObject(), text.getBaseOffset(), text.numBytes());
  }

  private long addOne(Object from, long offset, long bytes) {
    long at = store.take(Texts.padded(Long.BYTES + bytes));
    if (at < 0) {
      return NONE;
    }
    int page = store.lastPage();
    Platform.putLong(store.pageBase(page), at, bytes);
    Platform.copyMemory(from, offset, store.pageBase(page), at + Long.BYTES, bytes);
    return place(page, at - store.pageOffset(page)) | LONG;
  }

  private static long place(int page, long offset) {
    return (((long) page << OFFSET_BITS) | offset) << LENGTH_BITS;
  }

  @Override
  public UTF8String text(long place) {
    int bytes = bytes(place);
    return bytes == 0
        ? UTF8String.EMPTY_UTF8
        : UTF8String.fromAddress(store.pageBase(page(place)), offset(place), bytes);
  }

  @Override
  public int bytes(long place) {
    int bytes = (int) place & LONG;
    return bytes < LONG
        ? bytes
        : (int) Platform.getLong(store.pageBase(page(place)), offset(place) - Long.BYTES);
  }

  @Override
  public void copy(long place, int bytes, Object to, long offset) {
    if (bytes > 0) {
      Texts.copy(store.pageBase(page(place)), offset(place), bytes, to, offset);
    }
  }

  private static int page(long place) {
    return (int) (place >>> (OFFSET_BITS + LENGTH_BITS));
  }

  /** Returns where the bytes begin in their page. */
  private long offset(long place) {
    long at = store.pageOffset(page(place)) + ((place >>> LENGTH_BITS) & MOST_OFFSET);
    return ((int) place & LONG) < LONG ? at : at + Long.BYTES;
  }
}
