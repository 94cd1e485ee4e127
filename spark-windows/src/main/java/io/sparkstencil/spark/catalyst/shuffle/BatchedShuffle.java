/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.ShuffledRowRDD;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec$;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter;
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter;
import scala.Option;
import scala.Product2;
import scala.reflect.ClassTag;

/** Shuffles of rows in batches. */
public final class BatchedShuffle {
  private BatchedShuffle() {}

  /** Tells whether what is shuffled must have memory of its own; asked in a task. */
  public static boolean keepsRows() {
    // Spark's own shuffle takes the bytes at once; another may keep the row.
    return !(SparkEnv.get().shuffleManager() instanceof SortShuffleManager);
  }

  /**
   * Returns a shuffle of batches that have been made.
   *
   * @param batches each with its partition
   */
  public static ShuffleDependency<Object, InternalRow, InternalRow> ofBatches(
      RDD<Product2<Object, InternalRow>> batches, RowLayout layout, int partitions) {
    return shuffle(
        batches, layout.fields(), BatchPartitioner.of(partitions, batches.sparkContext().conf()));
  }

  /**
   * Returns a shuffle of rows, of which map tasks write one file each.
   *
   * @param rows each with its partition
   * @param fields of a row
   */
  public static ShuffleDependency<Object, InternalRow, InternalRow> ofRows(
      RDD<Product2<Object, InternalRow>> rows, int fields, int partitions) {
    return shuffle(
        rows, fields, BatchPartitioner.inOneFile(partitions, rows.sparkContext().conf()));
  }

  private static ShuffleDependency<Object, InternalRow, InternalRow> shuffle(
      RDD<Product2<Object, InternalRow>> rows, int fields, BatchPartitioner partitioner) {
    SparkContext context = rows.sparkContext();
    return new ShuffleDependency<>(
        rows.mapPartitionsWithEvaluator(
            () -> (index, inputs) -> LeftInterrupts.onlyInside(inputs.apply(0)), pairTag()),
        partitioner,
        new UnsafeRowSerializer(fields, SQLMetrics.createSizeMetric(context, "data size", -1L)),
        Option.empty(),
        Option.empty(),
        false,
        ShuffleExchangeExec$.MODULE$.createShuffleWriteProcessor(
            SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(context)),
        ScalaInterop.tag(Object.class),
        ScalaInterop.tag(InternalRow.class),
        ScalaInterop.tag(InternalRow.class));
  }

  /** Returns the rows of some parts of a shuffle. */
  public static ShuffledRowRDD read(
      ShuffleDependency<Object, InternalRow, InternalRow> shuffle, ShufflePartitionSpec[] parts) {
    return new LeftInterrupts.Batches(
        shuffle,
        SQLShuffleReadMetricsReporter.createShuffleReadMetrics(shuffle.rdd().sparkContext()),
        parts);
  }

  /** Returns the class of pairs. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // a class has no type arguments
  public static <A, B> ClassTag<Product2<A, B>> pairTag() {
    return (ClassTag) ScalaInterop.tag(Product2.class);
  }
}
