/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.shuffle.BatchedRows;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.Iterator;

/**
 * Puts the rows of series in order that do not find room in memory together:
 *
 * <pre>
 *   batches -> [collect, sort] run -> file
 *              [collect, sort] run -> file     -> [merge] rows in order
 *              [collect, sort] run
 * </pre>
 *
 * Where memory does not even suffice for a run worth its file, Spark's sorter makes the last one.
 */
public final class SpilledSeries {
  /** Share of the bytes that rows may take, from which on a run is worth a file. */
  private static final int LEAST_SHARE = 4;

  private final TaskContext context;
  private final UnitOrder order;
  private final SQLMetric sortNanos;
  private final SQLMetric spilledBytes;
  private final List<Iterator<InternalRow>> runs = new ArrayList<>();
  private long rows;

  /**
   * Creates what sorts the rows of a task.
   *
   * @param sortNanos counts the time of sorting
   * @param spilledBytes counts the bytes of files
   */
  public SpilledSeries(
      TaskContext context, UnitOrder order, SQLMetric sortNanos, SQLMetric spilledBytes) {
    this.context = context;
    this.order = order;
    this.sortNanos = sortNanos;
    this.spilledBytes = spilledBytes;
  }

  /**
   * Returns all rows in order.
   *
   * @param first what has been collected, whose memory is given back
   * @param others the batches of rows for which there was no memory
   */
  public RowSource sorted(SeriesColumns first, Iterator<InternalRow> others) {
    SeriesColumns collected = first;
    SeriesLayout layout = first.layout();
    RowPages pages = first.pages();
    rows = first.rows();
    Iterator<InternalRow> rest = others.map(this::counted);
    while (rest != null && isWorthAFile(collected) && collected.finish(Long.MAX_VALUE)) {
      spill(collected);
      collected = new SeriesColumns(layout, pages, UnitOrder.mostBytes());
      rest = collected.addAll(rest);
    }
    runs.add(
        rest == null
            ? new SourceRows(collected.inOrder())
            : order.sortedBySpark(
                collected, new BatchedRows(rest, layout.rows()), pages, sortNanos));
    return order.sorted(new MergedRows(runs, order.whole().comparator()));
  }

  private InternalRow counted(InternalRow batch) {
    rows += PackedColumns.rows((UnsafeRow) batch);
    return batch;
  }

  /** Returns how many rows there were. */
  public long rows() {
    return rows;
  }

  private static boolean isWorthAFile(SeriesColumns collected) {
    return collected.rows() > 0
        && collected.pages().bytesInUse() >= UnitOrder.mostBytes() / LEAST_SHARE;
  }

  /** Makes a run of what has been collected. */
  private void spill(SeriesColumns collected) {
    RowPages pages = collected.pages();
    long memory = pages.bytesInUse();
    SpilledRun run =
        SpilledRun.write(new SourceRows(collected.inOrder()), collected.layout(), context);
    sortNanos.add(collected.sortNanos());
    TaskMetrics metrics = context.taskMetrics();
    metrics.incMemoryBytesSpilled(memory - pages.bytesInUse());
    metrics.incDiskBytesSpilled(run.bytes());
    spilledBytes.add(run.bytes());
    runs.add(run.rows(context));
  }
}
