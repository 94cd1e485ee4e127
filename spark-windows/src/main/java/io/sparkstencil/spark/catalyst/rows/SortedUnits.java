/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.Iterator;

/** The rows of one unit after the other, each unit put in order when its turn comes. */
public final class SortedUnits implements RowSource {
  private final Iterator<Iterator<InternalRow>> units;
  private final UnitOrder order;
  private final RowPages pages;
  private final SQLMetric sortNanos;
  private RowSource unit;
  private boolean entered; // whether the current row is the first of its unit
  private boolean first = true; // whether no row has been returned

  /**
   * Sorts units when they are asked for.
   *
   * @param order what sorts one of them
   * @param pages memory for the rows of the unit whose turn it is
   * @param sortNanos counts the time
   */
  public SortedUnits(
      Iterator<Iterator<InternalRow>> units, UnitOrder order, RowPages pages, SQLMetric sortNanos) {
    this.units = units;
    this.order = order;
    this.pages = pages;
    this.sortNanos = sortNanos;
  }

  @Override
  public boolean advance() {
    first &= unit == null;
    entered = false;
    while (unit == null || !unit.advance()) {
      close();
      if (!units.hasNext()) {
        return false;
      }
      unit = order.sorted(units.next(), pages, sortNanos);
      entered = true;
    }
    return true;
  }

  private void close() {
    if (unit instanceof RowCollector collector) {
      sortNanos.add(collector.sortNanos());
      collector.release();
    }
    unit = null;
  }

  @Override
  public UnsafeRow row() {
    return unit.row();
  }

  @Override
  public Holder holder() {
    return unit.holder();
  }

  @Override
  public WholeSeries series() {
    return unit.series();
  }

  @Override
  public boolean startsSeries() {
    // No series has rows in two units, unless all rows are one series.
    return unit.startsSeries() || (entered && !first && order.keys() != null);
  }
}
