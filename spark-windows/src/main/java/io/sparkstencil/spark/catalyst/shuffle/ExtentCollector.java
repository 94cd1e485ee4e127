/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Finds the extent of unsorted rows. */
public final class ExtentCollector implements RangeNotes.Note<RangeExtent> {
  private final Keys keys; // null if they are not looked at
  private long rows;
  private UnsafeRow first;
  private UnsafeRow last;

  /**
   * What reads and compares the keys of a task's rows.
   *
   * @param number the number of a row by its key; null if that is not in one word
   */
  private record Keys(
      int ordinal, OrderNumber number, UnsafeProjection projection, Comparator<InternalRow> order) {
    static Keys of(RowOrder order) {
      return new Keys(
          order.keyOrdinal(), OrderNumber.of(order), order.keyProjection(), order.ofKeys());
    }
  }

  /**
   * Creates a collector of no rows.
   *
   * @param order the order of the rows, that of one column; null if keys are not looked at
   */
  public ExtentCollector(RowOrder order) {
    this(order == null ? null : Keys.of(order));
  }

  private ExtentCollector(Keys keys) {
    this.keys = keys;
  }

  /** Returns another collector for the same task. */
  ExtentCollector another() {
    return new ExtentCollector(keys);
  }

  /** Considers a row. */
  public void add(UnsafeRow row) {
    rows++;
    if (keys != null && !row.isNullAt(keys.ordinal())) {
      offerFirst(row);
      offerLast(row);
    }
  }

  private void offerFirst(UnsafeRow row) {
    UnsafeRow key = keys.projection().apply(row);
    if (first == null || keys.order().compare(key, first) < 0) {
      first = key.copy();
    }
  }

  private void offerLast(UnsafeRow row) {
    UnsafeRow key = keys.projection().apply(row);
    if (last == null || keys.order().compare(key, last) > 0) {
      last = key.copy();
    }
  }

  /** Considers rows; only the least of them and the greatest are compared with others. */
  @Override
  public void add(OpenRows batch, UnsafeRow row) {
    rows += batch.rows();
    if (keys == null) {
      return;
    }
    if (keys.number() == null) {
      addRows(batch, row);
    } else {
      addNumbers(batch, row, keys.number());
    }
  }

  private void addNumbers(OpenRows batch, UnsafeRow row, OrderNumber numbers) {
    int least = -1;
    int greatest = -1;
    for (int i = 0; i < batch.rows(); i++) {
      if (numbers.isNull(batch, i)) {
        continue;
      }
      long number = numbers.of(batch, i);
      least = least < 0 || number < numbers.of(batch, least) ? i : least;
      greatest = greatest < 0 || number > numbers.of(batch, greatest) ? i : greatest;
    }
    if (least >= 0) {
      batch.point(row, least);
      offerFirst(row);
      batch.point(row, greatest);
      offerLast(row);
    }
  }

  private void addRows(OpenRows batch, UnsafeRow row) {
    for (int i = 0; i < batch.rows(); i++) {
      batch.point(row, i);
      if (!row.isNullAt(keys.ordinal())) {
        offerFirst(row);
        offerLast(row);
      }
    }
  }

  @Override
  public RangeExtent packed() {
    return new RangeExtent(rows, first, last);
  }
}
