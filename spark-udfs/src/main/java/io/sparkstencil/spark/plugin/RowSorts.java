/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.StencilException;
import java.util.Optional;

/** What sorts the rows of a task on its device. */
public interface RowSorts {
  /**
   * Tells whether the device is estimated to have rows in order before the host.
   *
   * @param rows how many
   * @param columns of each, as they go to the device
   * @param returned of these, those that come back
   */
  boolean isFaster(long rows, int columns, int returned);

  /**
   * Lends what sorts some rows.
   *
   * @param rows how many, at least 1
   * @param columns of each, at least 1
   * @return empty if the device cannot be used, or has no permit or no memory at this moment
   */
  Optional<RowSort> open(int rows, int columns);

  /** Counts a failure of the device; returns whether the host may sort the rows instead. */
  boolean isLeftToHost(StencilException failure);
}
