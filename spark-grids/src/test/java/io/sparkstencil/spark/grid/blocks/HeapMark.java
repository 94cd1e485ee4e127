/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.blocks;

import java.util.concurrent.atomic.AtomicBoolean;

/** A mark of a block that needs no Spark. */
public record HeapMark(AtomicBoolean there) implements BlockMark {
  /** Creates the mark of a block that is wanted. */
  public HeapMark() {
    this(new AtomicBoolean(true));
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public boolean isThere() {
    return there.get();
  }

  @Override
  public void tellSizes(long heap, long device, long disk) {}

  @Override
  public void remove() {
    there.set(false);
  }
}
