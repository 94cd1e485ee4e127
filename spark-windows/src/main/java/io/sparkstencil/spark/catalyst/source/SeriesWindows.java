/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopBatches;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Windows that are no stencils, over whole series.
 *
 * @param frames the windows
 * @param loops those of them that are loops; null if none is
 * @param mixed all of them, if some are loops and others are none; else null
 * @param task what counts
 */
public record SeriesWindows(
    SeriesFrames frames, LoopPlan loops, MixedWindows mixed, WindowTask task)
    implements Serializable {
  /** Tells whether results are columns. */
  public boolean hasColumns() {
    return loops != null;
  }

  /** Returns what computes rows. */
  public SeriesComputation<InternalRow> ofRows() {
    StructType all = hasColumns() ? BatchPacker.joined(loops.input(), results()) : null;
    return new SeriesComputation<>(
        (context, collected, order, own) ->
            all == null
                ? rows(kept(collected).inOrder())
                : ColumnRows.of(all, batches(kept(collected))),
        (context, rows, order) -> rows(rows));
  }

  /** Returns what computes columns, where some windows are loops. */
  public SeriesComputation<ColumnarBatch> ofColumns() {
    StructType results = results();
    return new SeriesComputation<>(
        (context, collected, order, own) -> batches(kept(collected)),
        (context, rows, order) -> BatchPacker.of(loops.input(), results).batches(rows(rows)));
  }

  private StructType results() {
    return DataTypeUtils.fromAttributes(ScalaInterop.seq(frames.results()));
  }

  private SeriesColumns kept(SeriesColumns collected) {
    task.metric(StencilMetric.COLUMN_ROWS).add(collected.rows());
    return collected;
  }

  private Iterator<InternalRow> rows(RowSource rows) {
    return task.counted(frames.run(rows));
  }

  private Iterator<ColumnarBatch> batches(SeriesColumns collected) {
    task.metric(StencilMetric.PARTITIONS).add(1);
    LoopBatches batches = new LoopBatches(loops, collected, null, collected::release);
    return task.counted(
        mixed == null ? batches : mixed.beside(batches, collected), StencilMetric.ROWS);
  }
}
