/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.edges;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.series.SeriesBatches;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.exec.CellColumn;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads the rows of a split series by series. If they do not fit in a task's share of memory, all
 * of them are to be shuffled.
 *
 * @param layout where columns are in a chunk
 * @param series the rows
 * @param sortNanos counts the time of sorting
 */
record SplitReader(ColumnarLayout layout, SeriesLayout series, SQLMetric sortNanos)
    implements Serializable {

  Iterator<SplitRows> read(TaskContext context, int split, Iterator<ColumnarBatch> batches) {
    SeriesColumns collected =
        new SeriesColumns(series, RowPages.of(context), UnitOrder.mostBytes());
    while (batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      int added = collected.add(batch);
      if (added < batch.numRows()) {
        SplitRows rest = whole(batch, added, split);
        return unsorted(collected, split)
            .concat(() -> ScalaInterop.<SplitRows>seqOf(rest).iterator())
            .concat(() -> batches.map(each -> whole(each, 0, split)));
      }
    }
    return collected.finish() ? rows(collected, split, false) : unsorted(collected, split);
  }

  private Iterator<SplitRows> unsorted(SeriesColumns collected, int split) {
    collected.finishUnsorted();
    return rows(collected, split, true);
  }

  private Iterator<SplitRows> rows(SeriesColumns collected, int split, boolean allSent) {
    int columns = layout.sources().size();
    SplitParts parts = new SplitParts(Edge.of(layout.plan()), allSent);
    return CollectionConverters.asScala(
            new SeriesBatches<>(collected, layout, false, parts, sortNanos::add))
        .map(chunk -> SplitRows.of(chunk, columns, split));
  }

  /** Returns the rows of a batch from one on, all of which are shuffled. */
  private SplitRows whole(ColumnarBatch batch, int from, int split) {
    CellColumn[] columns = new CellColumn[layout.sources().size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new CellColumn(layout.sources().get(i).to(), batch.numRows() - from);
    }
    layout.read(batch, from, batch.numRows() - from, columns);
    return SplitRows.whole(columns, split);
  }
}
