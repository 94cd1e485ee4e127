/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.WholeSeries;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/**
 * The rows of one unit after the other, each unit collected as columns and put in order when its
 * turn comes.
 */
public final class CollectedUnits implements RowSource {
  private final Iterator<Iterator<InternalRow>> units;
  private final Supplier<SeriesColumns> collections;
  private final Supplier<SpilledSeries> spills;
  private final boolean hasKeys;
  private final LongConsumer sortNanos;
  private SeriesColumns collected; // of the unit; null if its rows found no memory
  private RowSource unit;
  private boolean entered; // whether the current row is the first of its unit
  private boolean first = true; // whether no row has been returned

  /**
   * Begins before the first unit.
   *
   * @param units the rows of each
   * @param collections makes an empty collection for a unit
   * @param spills makes what sorts a unit that finds no room in memory
   * @param hasKeys whether units have whole series, and are not all one
   * @param sortNanos takes the time of sorting
   */
  public CollectedUnits(
      Iterator<Iterator<InternalRow>> units,
      Supplier<SeriesColumns> collections,
      Supplier<SpilledSeries> spills,
      boolean hasKeys,
      LongConsumer sortNanos) {
    this.units = units;
    this.collections = collections;
    this.spills = spills;
    this.hasKeys = hasKeys;
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
      unit = open(units.next());
      entered = true;
    }
    return true;
  }

  private RowSource open(Iterator<InternalRow> rows) {
    collected = collections.get();
    Iterator<InternalRow> rest = collected.addRows(rows);
    if (rest == null) {
      return collected.inOrder();
    }
    SeriesColumns all = collected;
    collected = null; // whoever merges the rows gives their memory back
    return spills.get().sorted(all, rest);
  }

  private void close() {
    if (collected != null) {
      sortNanos.accept(collected.sortNanos());
      collected = null;
    }
    unit = null;
  }

  @Override
  public UnsafeRow row() {
    return unit.row();
  }

  @Override
  public WholeSeries series() {
    return unit.series();
  }

  @Override
  public boolean startsSeries() {
    // No series has rows in two units, unless all rows are one series.
    return unit.startsSeries() || (entered && !first && hasKeys);
  }
}
