/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

/**
 * Hears how far a grid is. Called on the thread that makes the grid, and that takes the steps.
 *
 * <pre>{@code
 * GridListener prints = progress -> System.out.println(progress.done() + " of " + progress.wanted());
 * }</pre>
 */
@FunctionalInterface
public interface GridListener {
  /** Some more steps are done. */
  void progressed(GridProgress progress);

  /** Hears what users should know of cells that are read. Unless it is overridden, it is logged. */
  default void noted(String note) {
    System.getLogger(GridListener.class.getName()).log(System.Logger.Level.WARNING, note);
  }
}
