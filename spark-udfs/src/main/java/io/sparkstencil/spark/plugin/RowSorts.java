/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.StencilException;
import java.util.Optional;

/** What sorts the rows of a task on its device. */
public interface RowSorts {
  /**
   * Lends what sorts some rows, whose turn on the device comes when they are sorted.
   *
   * @param rows how many, at least 1
   * @param columns of each, at least 1
   * @return empty if the host is estimated to be faster, or the device has no memory at this moment
   */
  Optional<RowSort> open(int rows, int columns);

  /** Counts a failure of the device; returns whether the host may sort the rows instead. */
  boolean isLeftToHost(StencilException failure);
}
