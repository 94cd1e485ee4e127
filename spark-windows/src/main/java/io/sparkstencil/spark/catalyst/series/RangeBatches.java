/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Cuts a range of one series, of columns of fixed width, into chunks. The range comes in units that
 * follow each other, each of which is collected and put in order when its turn comes.
 */
public final class RangeBatches implements Iterator<SeriesChunk<EmittedRows>> {
  private final scala.collection.Iterator<scala.collection.Iterator<InternalRow>> units;
  private final Supplier<SeriesColumns> collections;
  private final Supplier<SpilledSeries> spills;
  private final ColumnarLayout layout;
  private final ChunkBuilder builder;
  private final LongConsumer sortNanos;
  private SeriesColumns collected; // of the unit, or null
  private CellRows rows; // of the unit, or null before the first
  private boolean ended;

  /**
   * Cuts a range.
   *
   * @param units the batches of each unit
   * @param collections makes an empty collection for a unit
   * @param spills makes what sorts a unit that finds no room in memory
   * @param layout which columns are staged
   * @param sortNanos takes the time of sorting
   */
  public RangeBatches(
      scala.collection.Iterator<scala.collection.Iterator<InternalRow>> units,
      Supplier<SeriesColumns> collections,
      Supplier<SpilledSeries> spills,
      ColumnarLayout layout,
      LongConsumer sortNanos) {
    this.units = units;
    this.collections = collections;
    this.spills = spills;
    this.layout = layout;
    this.builder = new ChunkBuilder(layout.plan(), false);
    this.sortNanos = sortNanos;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<EmittedRows> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    while (nextRows()) {
      int count = (int) Math.min(Math.max(1, builder.room()), rows.remaining());
      rows.read(count, layout.sources(), builder.columns());
      int at = builder.cutPoint(false);
      if (at > 0) {
        return builder.cut(at, EmittedRows.of(at, 0, at));
      }
    }
    ended = true;
    int all = builder.rows();
    return builder.finish(EmittedRows.of(all, 0, all));
  }

  /** Moves to the next unit if all rows of this one have been read; false after the last. */
  private boolean nextRows() {
    while (rows == null || rows.remaining() == 0) {
      release();
      if (!units.hasNext()) {
        return false;
      }
      collected = collections.get();
      rows = open(units.next());
    }
    return true;
  }

  private CellRows open(scala.collection.Iterator<InternalRow> batches) {
    SeriesLayout rowLayout = collected.layout();
    scala.collection.Iterator<InternalRow> rest = collected.addAll(batches);
    if (rest == null) {
      return collected.nextSeries() ? collected.reader() : null;
    }
    SpilledSeries spilled = spills.get();
    SeriesColumns first = collected;
    collected = null; // whoever merges the rows gives their memory back
    return new SourceCells(spilled.sorted(first, rest), spilled.rows(), rowLayout);
  }

  private void release() {
    if (collected != null) {
      sortNanos.accept(collected.sortNanos());
      collected.release();
      collected = null;
    }
  }
}
