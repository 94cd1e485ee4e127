/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.SeriesBatches;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.exec.CellColumn;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads the rows of a split series by series. If they take more memory than a task may count on,
 * all of them are to be shuffled. This depends on the rows alone: a split that is read again must
 * keep what it has kept before, as the rows that were sent are computed elsewhere.
 *
 * @param layout where columns are in a chunk
 * @param positions where those of the rows are
 * @param series the rows
 * @param sortNanos counts the time of sorting
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SplitReader(ColumnarLayout layout, int[] positions, SeriesLayout series, SQLMetric sortNanos)
    implements Serializable {
  /** Share of the memory that rows may take elsewhere, which Spark grants in any case. */
  private static final int SHARE = 2;

  static long mostBytes() {
    return UnitOrder.mostBytes() / SHARE;
  }

  Iterator<SplitRows> read(TaskContext context, int split, Iterator<ColumnarBatch> batches) {
    return new Task(split).read(context, batches);
  }

  /** Reads one split. */
  private final class Task {
    private final int split;
    private int sent; // rows so far

    Task(int split) {
      this.split = split;
    }

    Iterator<SplitRows> read(TaskContext context, Iterator<ColumnarBatch> batches) {
      SeriesColumns collected = new SeriesColumns(series, RowPages.of(context), mostBytes());
      while (batches.hasNext()) {
        ColumnarBatch batch = batches.next();
        int added = collected.add(batch);
        if (added < batch.numRows()) {
          CellColumn[] rest = cells(batch, added);
          return unsorted(collected)
              .concat(() -> ScalaInterop.seqOf(whole(rest)).iterator())
              .concat(() -> batches.map(each -> whole(cells(each, 0))));
        }
      }
      return collected.finish(mostBytes()) ? rows(collected, false) : unsorted(collected);
    }

    private Iterator<SplitRows> unsorted(SeriesColumns collected) {
      if (collected.isRefused()) {
        throw new IllegalStateException(
            ("Spark refused a task memory for the rows of its files, though it has less than %d"
                    + " bytes of them; give executors more memory, or set %s=false")
                .formatted(mostBytes(), SqlOptions.FILES_ENABLED.key()));
      }
      collected.finishUnsorted();
      return rows(collected, true);
    }

    private Iterator<SplitRows> rows(SeriesColumns collected, boolean allSent) {
      SplitParts parts = new SplitParts(SplitEdge.of(layout.plan()), allSent);
      var chunks = new SeriesBatches<>(collected, layout, false, parts);
      return ScalaInterop.andThen(
          CollectionConverters.asScala(chunks)
              .map(chunk -> counted(SplitRows.of(chunk, positions, split, sent))),
          () -> sortNanos.add(collected.sortNanos()));
    }

    private SplitRows whole(CellColumn[] columns) {
      return counted(SplitRows.whole(columns, split, sent));
    }

    private SplitRows counted(SplitRows next) {
      sent += next.sentRows();
      return next;
    }

    /** Returns the columns of a batch from a row on. */
    private CellColumn[] cells(ColumnarBatch batch, int from) {
      CellColumn[] columns = new CellColumn[layout.sources().size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = new CellColumn(layout.sources().get(i).to(), batch.numRows() - from);
      }
      layout.read(batch, from, batch.numRows() - from, columns);
      CellColumn[] ofRows = new CellColumn[positions.length];
      for (int i = 0; i < ofRows.length; i++) {
        ofRows[i] = columns[positions[i]];
      }
      return ofRows;
    }
  }
}
