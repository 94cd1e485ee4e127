/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.grid.blocks.BlockMark;
import java.nio.ByteBuffer;

/**
 * A mark in the block manager of the executor, under the number of the run. The driver removes all
 * marks of a run that ends by that number, and one mark when its block lives elsewhere; it need not
 * know whether the executors are still there.
 *
 * @param run the number of an RDD that nobody computes
 * @param number that of the attempt of a task that has put the mark, so that it names no other
 */
record StoredMark(int run, int number) implements BlockMark {
  /** Nothing but the name of a mark matters. */
  private static final byte[] BYTES = {1};

  /** Puts a new mark. */
  static BlockMark put(int run, long attempt) {
    StoredMark mark = new StoredMark(run, (int) (attempt & Integer.MAX_VALUE));
    BlockBytes.put(run, mark.number, ByteBuffer.wrap(BYTES), false);
    return mark;
  }

  @Override
  public boolean isThere() {
    return BlockBytes.isHere(run, number);
  }

  @Override
  public void tellSizes(long heap, long device, long disk) {
    BlockBytes.tellSizes(run, number, heap, device, disk);
  }

  @Override
  public void remove() {
    BlockBytes.removeHere(run, number);
  }
}
