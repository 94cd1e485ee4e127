/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import java.io.Serializable;
import java.util.function.BiConsumer;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;

/** Shuffles of the rows of series whose map tasks read columns and make no rows. */
public final class ColumnShuffle {
  /** Reads a batch. */
  private interface Reader<T> extends BiConsumer<WordBatch, T>, Serializable {}

  private ColumnShuffle() {}

  /** Returns a shuffle of columns by the keys of their rows. */
  public static ShuffleDependency<Object, InternalRow, InternalRow> byKeys(
      RDD<ColumnarBatch> columns, SeriesLayout layout, int partitions) {
    return by(columns, map -> new KeyRouter(layout, partitions), layout, partitions);
  }

  /** Returns a shuffle of columns. */
  public static ShuffleDependency<Object, InternalRow, InternalRow> by(
      RDD<ColumnarBatch> columns,
      ColumnRouter.Factory routers,
      SeriesLayout layout,
      int partitions) {
    return of(columns, WordBatch::read, routers, layout, partitions);
  }

  /** Returns another shuffle of batches that have been shuffled. */
  public static ShuffleDependency<Object, InternalRow, InternalRow> again(
      RDD<InternalRow> shuffled,
      ColumnRouter.Factory routers,
      SeriesLayout layout,
      int partitions) {
    Reader<InternalRow> reader =
        (batch, record) -> {
          batch.read((UnsafeRow) record);
          batch.locateTexts();
        };
    return of(shuffled, reader, routers, layout, partitions);
  }

  private static <T> ShuffleDependency<Object, InternalRow, InternalRow> of(
      RDD<T> batches,
      Reader<T> reader,
      ColumnRouter.Factory routers,
      SeriesLayout layout,
      int partitions) {
    PartitionEvaluatorFactory<T, Product2<Object, InternalRow>> writer =
        () ->
            (index, inputs) ->
                new ColumnWriter<>(
                    inputs.apply(0),
                    reader,
                    routers.create(index),
                    layout,
                    partitions,
                    BatchedShuffle.keepsRows());
    return BatchedShuffle.ofBatches(
        batches.mapPartitionsWithEvaluator(writer, BatchedShuffle.pairTag()),
        layout.rows(),
        partitions);
  }
}
