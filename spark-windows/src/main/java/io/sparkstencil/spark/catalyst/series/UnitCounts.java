/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/** How many of the rows that a task reads come before its own, and how many are its own. */
public final class UnitCounts {
  private final int left;
  private final int ownUnits;
  private int unit = -1;
  private long before;
  private long own;
  private long after;

  /**
   * Begins before the first unit.
   *
   * @param left how many units come before the own ones
   * @param own how many own units there are
   */
  public UnitCounts(int left, int own) {
    this.left = left;
    this.ownUnits = own;
  }

  /** Returns the batches of each unit, whose rows are counted as they are read. */
  public Iterator<Iterator<InternalRow>> of(Iterator<Iterator<InternalRow>> units) {
    return units.map(
        batches -> {
          unit++;
          return batches.map(this::counted);
        });
  }

  private InternalRow counted(InternalRow batch) {
    add(PackedColumns.rows((UnsafeRow) batch));
    return batch;
  }

  private void add(int rows) {
    if (unit < left) {
      before += rows;
    } else if (unit < left + ownUnits) {
      own += rows;
    } else {
      after += rows;
    }
  }

  /** Returns how many of the rows so far come before the own ones. */
  public long before() {
    return before;
  }

  /** Returns how many of the rows so far are own ones. */
  public long own() {
    return own;
  }

  /** Returns how many of the rows so far are no own ones. */
  public long beside() {
    return before + after;
  }
}
