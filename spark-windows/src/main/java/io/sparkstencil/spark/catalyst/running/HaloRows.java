/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/**
 * The rows that a task reads: its own, and of those beside them as many as it needs. Counts rows as
 * they are read, before they are put in order.
 */
public final class HaloRows {
  private final UnitHalo halo;
  private final Comparator<InternalRow> order; // of keys; null if there are no frames by keys
  private final UnsafeProjection projection;
  private int unit = -1;
  private long left;
  private long own;
  private long right;
  private long warm;

  /** Prepares a task. */
  public HaloRows(UnitHalo halo, RowOrder order) {
    this.halo = halo;
    this.order = halo.keys() == null ? null : order.ofKeys();
    this.projection = halo.keys() == null ? null : order.keyProjection();
  }

  /** Returns the counts of all rows of a task's units, which are known. */
  public static HaloRows counted(UnitHalo halo, RowOrder order, long before, long own) {
    HaloRows counts = new HaloRows(halo, order);
    counts.left = before;
    counts.own = own;
    counts.warm = halo.looksBack() ? before : 0;
    return counts;
  }

  /** Returns the rows of the task's units that it needs. */
  public Iterator<Iterator<InternalRow>> of(Iterator<Iterator<InternalRow>> units) {
    return units.map(this::ofUnit);
  }

  private Iterator<InternalRow> ofUnit(Iterator<InternalRow> rows) {
    unit++;
    if (unit < halo.left()) {
      return rows.filter(this::takesLeft);
    }
    return unit < halo.left() + halo.own()
        ? rows.map(this::takeOwn)
        : rows.filter(this::takesRight);
  }

  private InternalRow takeOwn(InternalRow row) {
    own++;
    return row;
  }

  private boolean takesLeft(InternalRow row) {
    UnsafeRow key = key(row);
    boolean looksAt = key != null && halo.keys().isWarm(key, order);
    boolean takes = looksAt || !halo.filtered() || isInFrames(key);
    left += takes ? 1 : 0;
    warm += looksAt ? 1 : 0;
    return takes;
  }

  private boolean takesRight(InternalRow row) {
    boolean takes = !halo.filtered() || isInFrames(key(row));
    right += takes ? 1 : 0;
    return takes;
  }

  private UnsafeRow key(InternalRow row) {
    UnsafeRow key = order == null ? null : projection.apply(row);
    return key == null || key.isNullAt(0) ? null : key;
  }

  private boolean isInFrames(UnsafeRow key) {
    return key != null && !halo.keys().isAfter(key, order) && !halo.keys().isBefore(key, order);
  }

  UnitHalo halo() {
    return halo;
  }

  /** Returns the number of rows before the task's own, once they have been read. */
  long left() {
    return left;
  }

  /** Returns the number of the task's own rows, once they have been read. */
  long own() {
    return own;
  }

  /** Returns the number of rows beside the task's own that have been read so far. */
  public long beside() {
    return left + right;
  }

  /** Returns how many of the last rows before the task's own have frames that matter. */
  long warm() {
    return warm;
  }
}
