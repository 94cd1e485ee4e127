/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import org.apache.spark.Partitioner;

/** Brings what has the number of a block as its key to the partition of this number. */
final class ToBlocks extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final int count;

  ToBlocks(int count) {
    this.count = count;
  }

  @Override
  public int numPartitions() {
    return count;
  }

  @Override
  public int getPartition(Object block) {
    return (Integer) block;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ToBlocks that && that.count == count;
  }

  @Override
  public int hashCode() {
    return count;
  }
}
