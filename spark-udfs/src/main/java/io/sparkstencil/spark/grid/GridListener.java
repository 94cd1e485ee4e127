/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

/** Hears how far a grid is. Called on the thread that takes the steps. */
@FunctionalInterface
public interface GridListener {
  /** Some more steps are done. */
  void progressed(GridProgress progress);
}
