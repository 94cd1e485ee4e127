/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/**
 * The rows, of columns of fixed width, of a range of one series. It comes in units that follow each
 * other, each of which is collected and put in order when its turn comes.
 */
public final class RangeUnits implements CellRows {
  private final Iterator<Iterator<InternalRow>> units;
  private final Supplier<SeriesColumns> collections;
  private final Supplier<SpilledSeries> spills;
  private final LongConsumer sortNanos;
  private SeriesColumns collected; // of the unit, or null
  private CellRows rows; // of the unit, or null before the first
  private int unit = -1;

  /**
   * Begins before the first unit.
   *
   * @param units the batches of each unit
   * @param collections makes an empty collection for a unit
   * @param spills makes what sorts a unit that finds no room in memory
   * @param sortNanos takes the time of sorting
   */
  public RangeUnits(
      Iterator<Iterator<InternalRow>> units,
      Supplier<SeriesColumns> collections,
      Supplier<SpilledSeries> spills,
      LongConsumer sortNanos) {
    this.units = units;
    this.collections = collections;
    this.spills = spills;
    this.sortNanos = sortNanos;
  }

  /** Returns how many rows of the next unit that has any have not been read; 0 after the last. */
  @Override
  public long remaining() {
    while (rows == null || rows.remaining() == 0) {
      release();
      if (!units.hasNext()) {
        return 0;
      }
      unit++;
      collected = collections.get();
      rows = open(units.next());
    }
    return rows.remaining();
  }

  @Override
  public int unit() {
    return unit;
  }

  @Override
  public void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to) {
    rows.read(count, sources, to);
  }

  private CellRows open(Iterator<InternalRow> batches) {
    int fields = collected.layout().fields();
    Iterator<InternalRow> rest = collected.addAll(batches);
    if (rest == null) {
      return collected.nextSeries() ? collected.reader() : null;
    }
    SpilledSeries spilled = spills.get();
    SeriesColumns first = collected;
    collected = null; // whoever merges the rows gives their memory back
    Iterator<InternalRow> sorted = new SourceRows(spilled.sorted(first, rest));
    return new SourceCells(sorted, spilled.rows(), fields, null);
  }

  /** Gives the memory of the unit back, none of whose rows is read any more. */
  public void release() {
    if (collected != null) {
      sortNanos.accept(collected.sortNanos());
      collected.release();
      collected = null;
    }
  }
}
