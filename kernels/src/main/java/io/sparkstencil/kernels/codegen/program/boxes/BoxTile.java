/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.util.List;

/**
 * How a block computes a step of a {@link WeightedBox}: it owns some columns and streams along the
 * rows, two of them at a time, which are copied ahead into a ring in shared memory.
 *
 * <p>A matrix product gives the eight results of two rows and four columns, for 16 places of a row
 * that are four columns apart: one row of the left matrix has the cells around one place, and each
 * column of the right one has the weights for one of the eight results. A pair of rows that arrives
 * is a part of the sums of {@code radius + 1} pairs of results, which are kept in registers, as the
 * weights are. Of the products, {@code width * width} of {@code (width + 1) * (width + 3)} are of
 * use: 49 of 80, 81 of 120, 121 of 168.
 */
record BoxTile(WeightedBox box) {
  static final MatrixShape SHAPE = MatrixShape.SIXTEEN_ROWS;

  /** Columns that a warp computes. */
  static final int WARP_COLUMNS = 64;

  static final int WARPS = 4;

  /** Columns that a block computes. */
  static final int COLUMNS = WARPS * WARP_COLUMNS;

  /** Blocks of a multiprocessor for whose registers there is room. */
  static final int RESIDENT_BLOCKS = 2;

  /** Rows, and columns, of the results of one column of places. */
  static final int PLACE_ROWS = 2;

  static final int PLACE_COLUMNS = MatrixShape.COLUMNS / PLACE_ROWS;

  /** Pairs of rows that are copied before they are needed. */
  static final int AHEAD = 6;

  static final int CELL_BYTES = Double.BYTES;

  /** From a cell of the first half of a warp's columns to that of the second. */
  static final int HALF_BYTES = WARP_COLUMNS / 2 * CELL_BYTES;

  static final int CHUNK_BYTES = 16;

  /** Boxes of 49 cells were as fast without tensor cores, in two steps at once. */
  private static final int LEAST_RADIUS = 4;

  /** Most right matrices, of which a lane keeps a weight each: with more, registers spill. */
  private static final int MOST_MATRICES = 42;

  /** Bytes of a right matrix. */
  private static final int MATRIX_BYTES = 32 * Double.BYTES;

  int radius() {
    return box.radius();
  }

  /** Returns the pairs of rows from which a pair of results is computed. */
  int pairs() {
    return radius() + 1;
  }

  /** Returns the cells of a row around one place. */
  int placeCells() {
    return PLACE_COLUMNS + 2 * radius();
  }

  /** Returns the matrix products that add a pair of rows to a pair of results. */
  int products() {
    return PLACE_ROWS * placeCells() / SHAPE.depth();
  }

  /** Returns the right matrices of a box. */
  int matrices() {
    return pairs() * products();
  }

  /** Returns whether the box is as large as pays, and the registers suffice. */
  boolean fits() {
    return radius() >= LEAST_RADIUS && matrices() <= MOST_MATRICES;
  }

  /**
   * Returns the bytes of a row in the ring. Lanes that read the cells of one product then use all
   * banks, also where these are in two rows.
   */
  int rowBytes() {
    int columns = COLUMNS + 2 * radius();
    return (columns + (columns % 4 == 0 ? 2 : 0)) * CELL_BYTES;
  }

  int pairBytes() {
    return PLACE_ROWS * rowBytes();
  }

  /** Returns the pairs of rows between two barriers. */
  int pairsOfTurn() {
    return pairs() % 2 == 0 ? 2 : 1;
  }

  /** Returns the pairs of rows in the ring: results may be computed again after the next pair. */
  int pairsOfRing() {
    return pairs() + pairsOfTurn() + AHEAD;
  }

  int ringBytes() {
    return pairsOfRing() * pairBytes();
  }

  int sharedBytes() {
    return ringBytes() + matrices() * MATRIX_BYTES;
  }

  int threads() {
    return 32 * WARPS;
  }

  /** Returns the pairs of rows that arrive before the first results leave. */
  int lead() {
    return radius() + 2;
  }

  /** Returns the text. */
  GeneratedKernel generate() {
    String entry = "boxes_r%d".formatted(radius());
    return new GeneratedKernel(
        entry,
        new BoxWriter(this).write(entry),
        threads(),
        COLUMNS,
        0,
        sharedBytes(),
        List.of(),
        null);
  }
}
