/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.io.Serializable;

/**
 * The cells beside a tile that results in it depend on, along both axes.
 *
 * @param rows along the axis of rows
 * @param columns along the axis of columns
 */
record TileReach(AxisReach rows, AxisReach columns) implements Serializable {
  /** The most cells on a side: more would make a copy of the raster of each tile. */
  static final int MOST = 4096;

  /** Beside so many cells, the edges of tiles of usual sizes are as much as the tiles. */
  private static final int MUCH = 64;

  /** Tiles of so many tasks may meet in one, which holds the numbers of all of them. */
  private static final int MOST_IN_ONE = 8;

  /**
   * The cells beside a tile along an axis.
   *
   * @param low before it
   * @param high behind it
   * @param wraps whether the other end of the raster lies beyond an end
   */
  record AxisReach(int low, int high, boolean wraps) implements Serializable {
    private int most() {
      return Math.max(low, high);
    }

    private AxisReach or(AxisReach other) {
      return new AxisReach(Math.max(low, other.low), Math.max(high, other.high), wraps);
    }
  }

  /**
   * Returns the reach of a program in all its steps.
   *
   * @throws InvalidStencilException if tiles cannot be computed one by one
   */
  static TileReach of(ProgramOperation operation) {
    StencilProgram program = operation.program();
    if (program.nodes().stream().anyMatch(Node.Coordinate.class::isInstance)) {
      throw new InvalidStencilException(
          "the program reads positions along %s, which tiles do not know; write them to a column of tiles, or use a grid"
              .formatted(program.axes()));
    }
    StepReach reach = StepReach.of(program);
    return new TileReach(axis(operation, reach, 0), axis(operation, reach, 1));
  }

  private static AxisReach axis(ProgramOperation operation, StepReach reach, int axis) {
    StencilProgram program = operation.program();
    if (reach.mixed().get(axis)) {
      throw new InvalidStencilException(
          "the boundary %s wraps some of the fields %s only; use wrap for all of them or for none"
              .formatted(BoundaryText.format(program), program.fields()));
    }
    long low = (long) reach.low().get(axis) * operation.steps();
    long high = (long) reach.high().get(axis) * operation.steps();
    if (Math.max(low, high) > MOST) {
      throw new InvalidStencilException(
          "%d steps need %d cells beside each tile, more than %d; apply fewer steps, or use a grid"
              .formatted(operation.steps(), Math.max(low, high), MOST));
    }
    return new AxisReach((int) low, (int) high, reach.periodic().get(axis));
  }

  /**
   * Returns in how many tasks the edges of tiles meet: in fewer than tiles have where edges are
   * few, as each of these tasks writes to each of them, but in no fewer than run at once, and those
   * of no more than 8 tasks in one.
   *
   * @param most tasks, of which there is at least one
   * @param cores that run tasks
   */
  int buckets(int most, int cores) {
    long cells = Math.max(MUCH / MOST_IN_ONE, Math.max(rows.most(), columns.most()));
    long share = (most * Math.min(cells, MUCH) + MUCH - 1) / MUCH;
    return (int) Math.max(1, Math.min(most, Math.max(share, cores)));
  }

  /** Returns whether a tile can have what both need beside it. */
  boolean agrees(TileReach other) {
    return rows.wraps() == other.rows.wraps() && columns.wraps() == other.columns.wraps();
  }

  /** Returns what both need. */
  TileReach or(TileReach other) {
    return new TileReach(rows.or(other.rows), columns.or(other.columns));
  }
}
