/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Shuffles of the rows of series as columns, whether map tasks read these or rows. */
public final class ColumnShuffle {
  /** Makes batches of what a map task reads. */
  private interface Source<S, T> extends Serializable {
    Iterator<T> batches(Iterator<S> input);
  }

  /** Reads a batch. */
  private interface Reader<T> extends BiConsumer<WordBatch, T>, Serializable {}

  private ColumnShuffle() {}

  /** Returns what sends rows with equal keys to the same partition. */
  public static ColumnRouter.Factory byKeys(SeriesLayout layout, int partitions) {
    return map -> new KeyRouter(layout, partitions);
  }

  /** Returns a shuffle of columns. */
  public static ShuffleDependency<Object, InternalRow, InternalRow> ofColumns(
      RDD<ColumnarBatch> columns,
      ColumnRouter.Factory routers,
      SeriesLayout layout,
      int partitions) {
    return of(columns, batches -> batches, WordBatch::read, routers, layout, partitions);
  }

  /** Returns a shuffle of rows as columns. */
  public static ShuffleDependency<Object, InternalRow, InternalRow> ofRows(
      RDD<InternalRow> rows, ColumnRouter.Factory routers, SeriesLayout layout, int partitions) {
    return of(rows, ColumnShuffle::blocks, WordBatch::read, routers, layout, partitions);
  }

  /** Returns rows as batches that could have been shuffled; each is there until the next. */
  public static Iterator<InternalRow> batches(Iterator<InternalRow> rows, SeriesLayout layout) {
    ColumnRouter toOne = (batch, targets) -> Arrays.fill(targets, 0, batch.rows(), 0);
    return new ColumnWriter<>(blocks(rows), WordBatch::read, toOne, layout, 1, false)
        .map(Product2::_2);
  }

  /** Returns an iterator of rows as often as it has some left for a batch. */
  private static Iterator<Iterator<InternalRow>> blocks(Iterator<InternalRow> rows) {
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public Iterator<InternalRow> next() {
        return rows;
      }
    };
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
    return of(shuffled, batches -> batches, reader, routers, layout, partitions);
  }

  private static <S, T> ShuffleDependency<Object, InternalRow, InternalRow> of(
      RDD<S> input,
      Source<S, T> source,
      Reader<T> reader,
      ColumnRouter.Factory routers,
      SeriesLayout layout,
      int partitions) {
    PartitionEvaluatorFactory<S, Product2<Object, InternalRow>> writer =
        () ->
            (index, inputs) ->
                new ColumnWriter<>(
                    source.batches(inputs.apply(0)),
                    reader,
                    routers.create(index),
                    layout,
                    partitions,
                    BatchedShuffle.keepsRows());
    return BatchedShuffle.ofBatches(
        input.mapPartitionsWithEvaluator(writer, BatchedShuffle.pairTag()),
        layout.rows(),
        partitions);
  }
}
