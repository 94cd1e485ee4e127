/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/**
 * A box of positions on three axes, slowest first; programs with fewer axes have leading axes of
 * one cell.
 *
 * @param low the first position of each axis
 * @param high the position after the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record TileBox(int[] low, int[] high) {
  static final int AXES = 3;

  int size(int axis) {
    return high[axis] - low[axis];
  }

  long cells() {
    return (long) size(0) * size(1) * size(2);
  }

  /** Returns the index of a position in an array of this box's cells. */
  int index(int z, int y, int x) {
    return ((z - low[0]) * size(1) + y - low[1]) * size(2) + x - low[2];
  }

  /** Returns how far apart cells are in such an array that are neighbours along an axis. */
  int stride(int axis) {
    return axis == 2 ? 1 : axis == 1 ? size(2) : size(1) * size(2);
  }
}
