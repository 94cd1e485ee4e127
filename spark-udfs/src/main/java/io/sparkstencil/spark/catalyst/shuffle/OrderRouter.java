/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.RangePartitioner;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.LazilyGeneratedOrdering;
import org.apache.spark.util.MutablePair;
import scala.Product2;

/** Sends rows to ranges of an order of any kind. */
public final class OrderRouter implements RowRouter {
  private final RangePartitioner<InternalRow, Object> ranges;
  private final UnsafeProjection keys;

  public OrderRouter(RowOrder order, RangePartitioner<InternalRow, Object> ranges) {
    this.ranges = ranges;
    this.keys = order.keyProjection();
  }

  @Override
  public int target(UnsafeRow row) {
    return ranges.getPartition(keys.apply(row));
  }

  /**
   * Samples the keys of rows, which is a job, and finds ranges of about the same number of rows.
   *
   * @param order the order of these rows, which may have fewer columns than those that are routed
   */
  public static RangePartitioner<InternalRow, Object> ranges(
      RDD<InternalRow> rows, RowOrder order, int most, int samples) {
    PartitionEvaluatorFactory<InternalRow, Product2<InternalRow, Object>> keys =
        () ->
            (index, inputs) -> {
              UnsafeProjection projection = order.keyProjection();
              MutablePair<InternalRow, Object> pair = new MutablePair<>();
              // The sample keeps keys, and the projection's row is overwritten.
              return inputs.apply(0).map(row -> pair.update(projection.apply(row).copy(), null));
            };
    return new RangePartitioner<>(
        most,
        rows.mapPartitionsWithEvaluator(keys, BatchedShuffle.pairTag()),
        true,
        samples,
        new LazilyGeneratedOrdering(order.boundKeys()),
        ScalaInterop.tag(InternalRow.class));
  }
}
