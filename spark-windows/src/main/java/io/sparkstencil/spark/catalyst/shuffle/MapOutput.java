/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.apache.spark.MapOutputStatistics;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.ShuffledRowRDD;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;

/**
 * What the map tasks of a shuffle have written.
 *
 * @param layout the rows, which are shuffled in batches
 * @param bytes those of each partition
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MapOutput(
    SparkContext context,
    ShuffleDependency<Object, InternalRow, InternalRow> dependency,
    RowLayout layout,
    long[] bytes) {
  /** Runs the map stage. */
  public static MapOutput run(
      SparkContext context,
      ShuffleDependency<Object, InternalRow, InternalRow> dependency,
      RowLayout layout) {
    MapOutputStatistics statistics = await(context.submitMapStage(dependency));
    int used = BatchPartitioner.used(dependency);
    return new MapOutput(
        context, dependency, layout, Arrays.copyOf(statistics.bytesByPartitionId(), used));
  }

  /**
   * Waits for a stage; throws its failure as it is, which users know by its condition. Spark's own
   * {@code awaitResult} would put it into another. As there, a pool of threads is not told that
   * this one waits: it would begin another, which inherits the query's properties (SPARK-13747).
   */
  private static <T> T await(Future<T> stage) {
    try {
      return stage.result(Duration.Inf(), null);
    } catch (InterruptedException | TimeoutException e) { // never the latter
      throw ScalaInterop.sneaky(e);
    }
  }

  /** Returns the bytes of all partitions. */
  public long allBytes() {
    return Arrays.stream(bytes).sum();
  }

  /** Returns the number of map tasks. */
  public int maps() {
    return dependency.rdd().getNumPartitions();
  }

  /** Returns the batches of some parts. */
  public ShuffledRowRDD read(ShufflePartitionSpec[] parts) {
    return BatchedShuffle.read(dependency, parts);
  }
}
