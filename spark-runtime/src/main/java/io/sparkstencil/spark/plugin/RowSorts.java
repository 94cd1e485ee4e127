/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.StencilException;
import java.util.Optional;

/** What sorts the rows of a task: its device, or the host. */
public interface RowSorts {
  /** Returns the bytes of the host's heap that sorting some rows takes. */
  long hostBytes(int rows, int columns);

  /**
   * Lends what sorts some rows.
   *
   * @param rows how many, at least 1
   * @param columns of each, at least 1
   * @return empty if a device cannot be used, or has no permit or no memory at this moment
   */
  Optional<RowSort> open(int rows, int columns);

  /** Counts a failure of a device; returns whether the host may sort the rows instead. */
  boolean isLeftToHost(StencilException failure);
}
