/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.util.List;

/**
 * How far the halo of a block is filled.
 *
 * @param missing the faces that were looked for everywhere and not found
 * @param isUnseen whether there are faces that were not looked for everywhere this time
 */
record HaloFill(List<MissingFace> missing, boolean isUnseen) {
  /** All faces are there. */
  static final HaloFill FULL = new HaloFill(List.of(), false);

  boolean isFull() {
    return missing.isEmpty() && !isUnseen;
  }
}
