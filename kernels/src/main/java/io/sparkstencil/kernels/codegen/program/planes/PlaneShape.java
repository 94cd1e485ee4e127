/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

/**
 * The shape of a block that streams planes.
 *
 * @param steps the steps of a launch
 * @param cells cells of a row that a lane has, next to each other, in whole units of 16 bytes
 * @param rows rows that a warp has
 * @param warps warps of a block, one below the other
 * @param ahead planes that are copied before they are needed, at least 1
 * @param rereads whether input planes are read again from shared memory when an operation needs
 *     them, and not kept in registers
 * @param overlaps whether a warp computes the rows for which it needs no other warp while others
 *     arrive at the barrier of a plane
 */
record PlaneShape(
    int steps, int cells, int rows, int warps, int ahead, boolean rereads, boolean overlaps) {
  /** A shape whose warps wait as soon as they arrive. */
  PlaneShape(int steps, int cells, int rows, int warps, int ahead, boolean rereads) {
    this(steps, cells, rows, warps, ahead, rereads, false);
  }

  /**
   * Returns this shape with warps that compute while others arrive. They start copies later in a
   * plane, and so a plane further ahead.
   */
  PlaneShape overlapping() {
    return new PlaneShape(steps, cells, rows, warps, ahead + 1, rereads, true);
  }

  int threads() {
    return 32 * warps;
  }

  int columns() {
    return 32 * cells;
  }

  int tileRows() {
    return rows * warps;
  }
}
