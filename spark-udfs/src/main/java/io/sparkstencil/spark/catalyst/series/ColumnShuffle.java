/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;

/** A shuffle of the rows of series whose map tasks read columns and make no rows. */
public final class ColumnShuffle {
  private ColumnShuffle() {}

  /** Returns a shuffle of batches such as those that rows are shuffled in. */
  public static ShuffleDependency<Object, InternalRow, InternalRow> of(
      RDD<ColumnarBatch> columns, SeriesLayout layout, int partitions) {
    PartitionEvaluatorFactory<ColumnarBatch, Product2<Object, InternalRow>> writer =
        () ->
            (index, inputs) ->
                new ColumnWriter(inputs.apply(0), layout, partitions, BatchedShuffle.keepsRows());
    return BatchedShuffle.ofBatches(
        columns.mapPartitionsWithEvaluator(writer, BatchedShuffle.pairTag()),
        layout.rows(),
        partitions);
  }
}
