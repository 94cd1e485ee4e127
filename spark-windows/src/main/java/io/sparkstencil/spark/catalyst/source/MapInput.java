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

/** What map tasks read, and shuffle as columns: columns, or rows, which become columns there. */
sealed interface MapInput {
  /** Returns what a plan has. */
  static MapInput of(SparkPlan plan, SQLConf conf) {
    return plan.supportsColumnar()
        ? new Columns(
            EvenSplits.of(plan.executeColumnar(), conf, ScalaInterop.tag(ColumnarBatch.class)))
        : new Rows(plan.execute());
  }

  /** Returns how many map tasks there are. */
  int tasks();

  /** Returns a shuffle. */
  ShuffleDependency<Object, InternalRow, InternalRow> shuffle(
      ColumnRouter.Factory routers, SeriesLayout layout, int partitions);

  /** Columns. */
  record Columns(RDD<ColumnarBatch> batches) implements MapInput {
    @Override
    public int tasks() {
      return batches.getNumPartitions();
    }

    @Override
    public ShuffleDependency<Object, InternalRow, InternalRow> shuffle(
        ColumnRouter.Factory routers, SeriesLayout layout, int partitions) {
      return ColumnShuffle.ofColumns(batches, routers, layout, partitions);
    }
  }

  /** Rows. */
  record Rows(RDD<InternalRow> rows) implements MapInput {
    @Override
    public int tasks() {
      return rows.getNumPartitions();
    }

    @Override
    public ShuffleDependency<Object, InternalRow, InternalRow> shuffle(
        ColumnRouter.Factory routers, SeriesLayout layout, int partitions) {
      return ColumnShuffle.ofRows(rows, routers, layout, partitions);
    }
  }
}
