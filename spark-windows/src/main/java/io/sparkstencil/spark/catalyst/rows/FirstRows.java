/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The first rows of one series, by their order and then as they came. Holds up to twice as many as
 * are wanted, and sorts when it is full, so that a row costs one comparison most of the time.
 */
final class FirstRows {
  /** A copy of a row. */
  static final class Kept {
    private final UnsafeRow row;
    private long prefix;
    private int capacity; // bytes

    Kept(int fields) {
      this.row = UnsafeRow.createFromByteArray(0, fields);
    }

    UnsafeRow row() {
      return row;
    }

    /** Copies a row, and returns how many more bytes this takes. */
    int set(UnsafeRow from, long prefixOf) {
      int before = capacity;
      row.copyFrom(from);
      prefix = prefixOf;
      capacity = Math.max(capacity, from.getSizeInBytes());
      return capacity - before;
    }
  }

  /** How rows are compared: by their prefixes, and by their keys where these do not decide. */
  interface Order extends Comparator<Kept> {
    /** Compares a row with one that has the same prefix. */
    int compareKeys(UnsafeRow row, UnsafeRow kept);

    @Override
    default int compare(Kept a, Kept b) {
      int byPrefix = Long.compare(a.prefix, b.prefix);
      return byPrefix == 0 ? compareKeys(a.row, b.row) : byPrefix;
    }
  }

  private static final int LEAST_CAPACITY = 8;

  private final RankLimit limit;
  private final Order order;
  private Kept[] rows = new Kept[LEAST_CAPACITY];
  private int count;
  private int trimAt;
  private Kept last; // of those wanted, where rows after it are not

  FirstRows(RankLimit limit, Order order) {
    this.limit = limit;
    this.order = order;
    this.trimAt = trimAt(limit.most());
  }

  private static int trimAt(int wanted) {
    return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(LEAST_CAPACITY, 2L * wanted));
  }

  /** Tells whether a row may be wanted, as far as is known. */
  boolean mayWant(UnsafeRow row, long prefix) {
    if (last == null || prefix < last.prefix) {
      return true;
    } else if (prefix > last.prefix) {
      return false;
    }
    int compared = order.compareKeys(row, last.row);
    return compared < 0 || (compared == 0 && limit.wantsTies());
  }

  /** Tells whether {@link #trim} has to be called before the next row is added. */
  boolean isFull() {
    return count >= trimAt;
  }

  void add(Kept row) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, (int) Math.min(Integer.MAX_VALUE - 8, 2L * count));
    }
    rows[count++] = row;
  }

  /** Sorts the rows, and gives back those that are not wanted. */
  void trim(Consumer<Kept> unwanted) {
    Arrays.sort(rows, 0, count, order); // stable
    int wanted = limit.wanted(count, i -> order.compare(rows[i - 1], rows[i]) != 0);
    boolean more = wanted < count;
    for (int i = wanted; i < count; i++) {
      unwanted.accept(rows[i]);
      rows[i] = null;
    }
    count = wanted;
    if (more) {
      last = rows[count - 1];
    }
    trimAt = trimAt(Math.max(count, limit.most()));
  }

  int count() {
    return count;
  }

  UnsafeRow row(int index) {
    return rows[index].row;
  }
}
