/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import org.apache.spark.Partitioner;

/**
 * Brings what has a cell of a block as its key to the partition of the block's number. Keys are in
 * the order of blocks, and then of their cells.
 */
final class ToBlocks extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final int count;

  /** Cells of blocks are as many as an array can have. */
  private static final int CELL_BITS = Integer.SIZE - 1;

  ToBlocks(int count) {
    this.count = count;
  }

  /**
   * Returns a key.
   *
   * @param cell its place among the block's cells
   */
  static long key(int block, int cell) {
    return (long) block << CELL_BITS | cell;
  }

  /** Returns the place of a key's cell among those of its block. */
  static int cell(long key) {
    return (int) key & Integer.MAX_VALUE;
  }

  @Override
  public int numPartitions() {
    return count;
  }

  @Override
  public int getPartition(Object key) {
    return (int) ((Long) key >>> CELL_BITS);
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
