/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.error.Cancellation;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Rows that are counted as they are taken. Each may have taken long, and who takes them need not
 * ask: the iterator does, every now and then, whether they are still wanted.
 */
public final class CountedRows extends AbstractIterator<InternalRow> {

  private static final int ROWS_PER_QUESTION = 16;

  private final Iterator<InternalRow> rows;
  private final SQLMetric count;
  private int taken;

  /** Counts rows. */
  public CountedRows(Iterator<InternalRow> rows, SQLMetric count) {
    this.rows = rows;
    this.count = count;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public InternalRow next() {
    if ((++taken & (ROWS_PER_QUESTION - 1)) == 0) {
      Cancellation.ask();
    }
    InternalRow row = rows.next();
    count.add(1);
    return row;
  }
}
