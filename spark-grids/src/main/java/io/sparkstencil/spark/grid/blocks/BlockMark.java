/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

/** Says that a block is wanted in this process, for as long as it is. */
public interface BlockMark {
  /** Returns what tells the mark from others of the same run, in all processes. */
  int number();

  /** Returns whether the block is still wanted. */
  boolean isThere();

  /** Says what the block takes now, in bytes: on the heap, on a device, and on disk. */
  void tellSizes(long heap, long device, long disk);

  /** Says that the block is not wanted. */
  void remove();
}
