/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Runs windows over one series of rows in ranges of its order. */
public interface OneSeriesInput {
  /**
   * Returns the rows in order with their results, after a shuffle by ranges, whose map tasks find
   * what is to be known of the ranges.
   *
   * @param shared the shuffle, or where to leave it for others
   */
  RDD<InternalRow> shuffled(SharedRanges shared, SQLConf conf);

  /**
   * Returns the rows, of columns of fixed width and texts, in order with their results, after a
   * shuffle of columns by ranges.
   *
   * @param loops the windows
   * @param shared the shuffle, or where to leave it for others
   */
  RDD<ColumnarBatch> shuffledColumns(LoopPlan loops, SharedRanges shared, SQLConf conf);

  /**
   * Returns the rows in order with their results where they are.
   *
   * @param where partitions that follow each other in the order
   */
  RDD<InternalRow> ranged(RowPlacement where);

  /**
   * Returns the rows, of columns of fixed width and texts, in order with their results where they
   * are.
   *
   * @param loops the windows
   * @param where partitions that follow each other in the order
   */
  default RDD<ColumnarBatch> rangedColumns(LoopPlan loops, RowPlacement where) {
    return loops.batches(ranged(where));
  }
}
