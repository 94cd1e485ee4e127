/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/** A function of the rows in frames that move. Used by one thread. */
abstract class MovingFunction extends LoopFunction {
  /** Returns why there is no value for the row after those that have one, or null. */
  RuntimeException failure() {
    return null;
  }

  /** Says that the first cells have been taken out. */
  abstract void moved(int by);

  /**
   * Appends the values of rows that follow each other.
   *
   * @param cells the columns that frames need
   * @param ends the frames of the rows
   * @param count how many rows
   * @return how many have a value: all, or those before one whose value fails
   */
  abstract int run(CellColumn[] cells, FrameEnds ends, int count, CellColumn to);
}
