/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.Box;
import java.io.Serializable;

/** Where a checkpoint goes. Used by many threads of many processes. */
@FunctionalInterface
public interface CheckpointSink extends Serializable {
  /**
   * Writes the cells of a block. Repeating it does no harm.
   *
   * @return what the driver needs to complete the checkpoint
   */
  Serializable write(Box box, BlockCells cells);
}
