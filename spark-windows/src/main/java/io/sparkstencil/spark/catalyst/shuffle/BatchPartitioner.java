/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;

/**
 * Partitions by their numbers, with some behind them that stay empty and that nobody reads.
 *
 * <p>Spark's sort shuffle writes a file for each partition first, and joins these, if there are few
 * partitions (200, its default for SQL, is few). Every map task then opens and deletes a file for
 * each partition, which takes the kernel longer than batches take to be put in order. With more
 * partitions it writes one file, in which the batches lie by their partitions.
 */
final class BatchPartitioner extends Partitioner {
  private static final long serialVersionUID = 1L;

  /** Partitions up to which files for each are cheap, and need no memory. */
  private static final int FEW = 16;

  /** Partitions that a map task may be said to have: it has a number for each in memory. */
  private static final int MOST = 1 << 14;

  /** Partitions up to which Spark writes files for each. */
  private static final String BYPASS = "spark.shuffle.sort.bypassMergeThreshold";

  private final int used;
  private final int all;

  private BatchPartitioner(int used, int all) {
    this.used = used;
    this.all = all;
  }

  static BatchPartitioner of(int partitions, SparkConf conf) {
    return partitions <= FEW
        ? new BatchPartitioner(partitions, partitions)
        : inOneFile(partitions, conf);
  }

  /**
   * Partitions that lie in one file, however few: what is large is not copied into it again. They
   * do not if Spark is told to write files for very many.
   */
  static BatchPartitioner inOneFile(int partitions, SparkConf conf) {
    int files = conf.getInt(BYPASS, 200);
    return new BatchPartitioner(
        partitions, files < MOST ? Math.max(partitions, files + 1) : partitions);
  }

  /** Returns the number of partitions that batches may be in. */
  static int used(ShuffleDependency<?, ?, ?> dependency) {
    return ((BatchPartitioner) dependency.partitioner()).used;
  }

  @Override
  public int numPartitions() {
    return all;
  }

  @Override
  public int getPartition(Object key) {
    return (int) key;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchPartitioner that && that.used == used && that.all == all;
  }

  @Override
  public int hashCode() {
    return used;
  }
}
