/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What is known of the rows of batches by which they are told apart and ordered: the ranges of the
 * numbers of their keys and of the columns of the order, and whether they are scattered over many
 * series.
 */
final class NumberRanges {
  /** Rows of a batch by which it is judged whether the rows of a series come together. */
  private static final int ASKED_ROWS = 32;

  /**
   * Rows of a series from which on it is quicker to collect rows series by series. Collecting
   * writes to as many places as there are series.
   */
  private static final int MANY_ROWS_BITS = 8;

  /** Batches that do not tell yet whether the rows of a series come together. */
  private static final int FEW_BATCHES = 16;

  /** Series that are remembered; of more, each has few rows. */
  private static final int MOST_KNOWN = 1 << 12;

  private final List<OrderKey> by; // the keys, then the order
  private final int keys; // of these
  private final int nullWords;
  private final long[] least;
  private final long[] most;
  private final long[] asked = new long[ASKED_ROWS];
  private int batches;
  private int mixed; // of these, those in which the rows of a series do not come together
  private boolean known; // whether all series so far are known
  private final Set<Long> series = new HashSet<>(); // their only key, if they are known

  /** Creates the ranges of no rows. */
  NumberRanges(SeriesLayout layout) {
    this.by = by(layout);
    this.keys = layout.keys().length;
    this.nullWords = layout.nullWords();
    this.known = keys == 1;
    this.least = new long[by.size()];
    this.most = new long[by.size()];
    Arrays.fill(least, Long.MAX_VALUE);
    Arrays.fill(most, Long.MIN_VALUE);
  }

  /** Returns by what rows are ordered that lie together: the keys, then the order. */
  static List<OrderKey> by(SeriesLayout layout) {
    List<OrderKey> by = new ArrayList<>();
    for (int field : layout.keys()) {
      by.add(new OrderKey(field, layout.word(field), false, true));
    }
    by.addAll(layout.order());
    return by;
  }

  /** Extends the ranges by a batch, where nulls are as their words. */
  void extend(UnsafeRow batch, long[] columns) {
    for (int i = 0; i < by.size(); i++) {
      extend(i, batch, columns[nullWords + by.get(i).field()]);
    }
    batches++;
    mixed += isMixed(batch, columns) ? 1 : 0;
    if (known) {
      long column = columns[nullWords + by.get(0).field()];
      known = isKnown(batch, column) && series.size() <= MOST_KNOWN;
    }
  }

  /** Adds the words of the only key, and tells whether it has so few that the batch has them. */
  private boolean isKnown(UnsafeRow batch, long column) {
    if (PackedColumns.numbered(batch, column) > 0) {
      for (long word : PackedColumns.numberedWords(batch, column)) {
        series.add(word);
      }
      return true;
    }
    boolean one =
        PackedColumns.hasRange(batch, column)
            && PackedColumns.least(batch, column) == PackedColumns.most(batch, column);
    if (one) {
      series.add(PackedColumns.least(batch, column));
    }
    return one;
  }

  private void extend(int of, UnsafeRow batch, long column) {
    OrderKey key = by.get(of);
    long[] words = {PackedColumns.least(batch, column), PackedColumns.most(batch, column)};
    if (!PackedColumns.hasRange(batch, column) || !key.isOrderOf(words[0], words[1])) {
      words = new long[PackedColumns.rows(batch)];
      PackedColumns.read(batch, column, words, 0, 1, words.length);
    }
    long[] numbers = new long[words.length];
    key.read(words, words.length, numbers);
    for (long number : numbers) {
      least[of] = Math.min(least[of], number);
      most[of] = Math.max(most[of], number);
    }
  }

  /** Tells whether most rows are of another series than the row before. */
  private boolean isMixed(UnsafeRow batch, long[] columns) {
    int count = Math.min(asked.length, PackedColumns.rows(batch));
    BitSet others = new BitSet();
    for (int key = 0; key < keys; key++) {
      PackedColumns.read(batch, columns[nullWords + by.get(key).field()], asked, 0, 1, count);
      for (int i = 1; i < count; i++) {
        if (asked[i] != asked[i - 1]) {
          others.set(i);
        }
      }
    }
    return 2 * others.cardinality() >= count;
  }

  /** Returns the least number of one of what rows are ordered by. */
  long least(int of) {
    return least[of];
  }

  /** Returns the bits that differences from the least number need. */
  int bits(int of) {
    return Long.SIZE - Long.numberOfLeadingZeros(most[of] - least[of]);
  }

  /** Tells whether it may still turn out that rows are scattered, of which there are more. */
  boolean mayBeScattered(long rows) {
    return isOfManySeries(rows) && (batches < FEW_BATCHES || isMixed());
  }

  /**
   * Tells whether rows may be of so many series, which do not come one after the other, that it is
   * quicker to sort all of them together than to collect each series.
   */
  boolean isScattered(long rows) {
    return isOfManySeries(rows) && isMixed();
  }

  private boolean isMixed() {
    return 2 * mixed > batches;
  }

  /** Tells whether series may have few rows: by those that are known, or the range of keys. */
  private boolean isOfManySeries(long rows) {
    if (known && batches >= FEW_BATCHES) {
      return rows <= (long) series.size() << MANY_ROWS_BITS;
    }
    int bits = MANY_ROWS_BITS;
    for (int key = 0; key < keys && batches > 0; key++) {
      bits += bits(key);
    }
    return bits >= Long.SIZE - 1 || rows <= 1L << bits;
  }
}
