/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;

/** Aggregates a part of the rows. */
public final class StateCollector {
  private final SpecificInternalRow buffer;
  private final MutableProjection update;
  private final UnsafeProjection packing;
  private final boolean counts; // and nothing else
  private final JoinedRow joined = new JoinedRow();
  private long rows;

  /**
   * Creates a collector without rows.
   *
   * @param update updates a buffer; shared by collectors of one task
   * @param packing packs a buffer; shared likewise
   */
  StateCollector(
      DataType[] types, Object[] initial, MutableProjection update, UnsafeProjection packing) {
    this.buffer = Buffers.of(types, initial);
    this.update = update;
    this.packing = packing;
    this.counts = types.length == 0;
  }

  /** Tells whether rows need not be shown, as their number is all that matters. */
  public boolean onlyCounts() {
    return counts;
  }

  /** Counts rows that are not shown. */
  public void count(long more) {
    rows += more;
  }

  /** Adds a row. */
  public void add(InternalRow row) {
    rows++;
    if (!counts) {
      update.target(buffer).apply(joined.apply(buffer, row));
    }
  }

  /** Adds rows. */
  public void addAll(Iterator<InternalRow> more) {
    while (more.hasNext()) {
      add(more.next());
    }
  }

  /** Returns the state of all rows so far. */
  public RunningState state() {
    return new RunningState(rows, packing.apply(buffer).copy());
  }
}
