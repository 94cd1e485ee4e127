/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import java.io.Serializable;

/** What is wanted of a block in a certain state. */
@FunctionalInterface
public interface BlockAction extends Serializable {
  /** Returns something serializable made of the cells, which must not be changed. */
  Serializable apply(BlockFields fields);

  /** Returns whether the executor forgets the block then. */
  default boolean isLast() {
    return false;
  }
}
