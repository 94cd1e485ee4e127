/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Rows as far as an exchange of ends needs them: the columns of their key and of their values. */
public final class EndRows implements Serializable {
  private static final long serialVersionUID = 1L;

  private final RowOrder whole;
  private final RowOrder order;
  private final CellReader cells;
  private final int reach;
  private final int[] kept; // the columns of whole rows that narrow ones have
  private final OrderNumber number; // of whole rows, or null
  private final OrderNumber narrowNumber;

  private EndRows(RowOrder whole, RowOrder order, CellReader cells, int reach, int[] kept) {
    this.whole = whole;
    this.order = order;
    this.cells = cells;
    this.reach = reach;
    this.kept = kept;
    this.number = OrderNumber.of(whole);
    this.narrowNumber = OrderNumber.of(order);
  }

  /**
   * Returns what is needed of rows.
   *
   * @param order the order of whole rows
   * @param cells reads whole rows
   */
  public static EndRows of(RowOrder order, CellReader cells, int reach) {
    List<Attribute> columns = ScalaInterop.list(order.attributes());
    List<Attribute> kept = new ArrayList<>();
    List<Integer> ordinals = new ArrayList<>();
    int[] places = new int[columns.size()];
    for (int i = 0; i < places.length; i++) {
      Attribute column = columns.get(i);
      places[i] = kept.size();
      if (cells.reads(i)
          || order.keyExpressions().stream().anyMatch(key -> key.references().contains(column))) {
        kept.add(column);
        ordinals.add(i);
      }
    }
    return new EndRows(
        order,
        order.of(ScalaInterop.seq(kept)),
        cells.at(places),
        reach,
        ordinals.stream().mapToInt(ordinal -> ordinal).toArray());
  }

  /** Returns the order of narrow rows. */
  RowOrder order() {
    return order;
  }

  /** Returns what reads narrow rows. */
  CellReader cells() {
    return cells;
  }

  /** Returns how many rows an end has. */
  int reach() {
    return reach;
  }

  /** Tells whether the order is by words: whether each of its columns has values of one word. */
  boolean isByWords() {
    return number != null;
  }

  /** Returns the projection of whole rows to narrow ones. */
  UnsafeProjection projection() {
    return UnsafeProjection.create(
        ScalaInterop.seq(ScalaInterop.list(order.attributes())), whole.attributes());
  }

  /** Returns how narrow rows lie in memory. */
  RowLayout layout() {
    return RowLayout.of(ScalaInterop.list(order.attributes()));
  }

  /** Returns a number of a whole row, where {@link #isByWords}: no later row has a smaller one. */
  long number(OpenRows rows, int row) {
    return number.of(rows, row);
  }

  /** Returns the number of a narrow row, or 0 where the order is not by words. */
  long number(UnsafeRow narrow) {
    return narrowNumber == null ? 0 : narrowNumber.of(narrow);
  }

  /** Returns a row that {@link #copy} can fill. */
  UnsafeRow newRow() {
    UnsafeRow row = new UnsafeRow(kept.length);
    int bytes = RowLayout.words(kept.length) * Long.BYTES;
    row.pointTo(new byte[bytes], bytes);
    return row;
  }

  /** Copies the words of a whole row, where {@link #isByWords}, to a narrow one. */
  void copy(OpenRows rows, int row, UnsafeRow narrow) {
    Object base = narrow.getBaseObject();
    long at = narrow.getBaseOffset();
    int fields = whole.attributes().size();
    int wholeNulls = RowLayout.words(fields) - fields;
    int nullWords = RowLayout.words(kept.length) - kept.length;
    for (int word = 0; word < nullWords; word++) {
      Platform.putLong(base, at + (long) word * Long.BYTES, 0);
    }
    for (int i = 0; i < kept.length; i++) {
      long to = at + (long) (nullWords + i) * Long.BYTES;
      Platform.putLong(base, to, rows.word(wholeNulls + kept[i], row));
      if ((rows.word(kept[i] / Long.SIZE, row) >>> kept[i] & 1) != 0) {
        narrow.setNullAt(i);
      }
    }
  }
}
