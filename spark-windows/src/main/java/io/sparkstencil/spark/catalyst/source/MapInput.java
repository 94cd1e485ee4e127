/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.series.ColumnRouter;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.source.files.EvenSplits;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * What map tasks read, and shuffle as columns: columns, or rows, which become columns there.
 *
 * @param tasks how many map tasks there are
 */
record MapInput(int tasks, Shuffles shuffles) {
  /** Makes shuffles of it. */
  interface Shuffles {
    ShuffleDependency<Object, InternalRow, InternalRow> of(
        ColumnRouter.Factory routers, SeriesLayout layout, int partitions);
  }

  /** Returns what a plan has. */
  static MapInput of(SparkPlan plan, SQLConf conf) {
    if (!plan.supportsColumnar()) {
      RDD<InternalRow> rows = plan.execute();
      return new MapInput(
          rows.getNumPartitions(),
          (routers, layout, partitions) -> ColumnShuffle.ofRows(rows, routers, layout, partitions));
    }
    RDD<ColumnarBatch> batches =
        EvenSplits.of(plan.executeColumnar(), conf, ScalaInterop.tag(ColumnarBatch.class));
    return new MapInput(
        batches.getNumPartitions(),
        (routers, layout, partitions) ->
            ColumnShuffle.ofColumns(batches, routers, layout, partitions));
  }
}
