/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Equations;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A simulation of heat.
 *
 * @param dimensions 1 to 3
 * @param type of the cells
 * @param size cells along each axis
 */
record GridCase(int dimensions, ElementType type, long size) {
  /** Returns the case with about some number of cells. */
  static GridCase of(int dimensions, ElementType type, long cells) {
    return new GridCase(dimensions, type, Math.round(Math.pow((double) cells, 1.0 / dimensions)));
  }

  String name() {
    return "grid/heat/%dd/%s".formatted(dimensions, type).toLowerCase(Locale.ROOT);
  }

  StencilProgram program() {
    return Equations.heat(dimensions, 2, 1, 1, 0.1).withBoundary(Boundary.REFLECT);
  }

  List<Long> sizes() {
    return Collections.nCopies(dimensions, size);
  }

  long[] extent() {
    return sizes().stream().mapToLong(Long::longValue).toArray();
  }

  double cells() {
    return Math.pow((double) size, dimensions);
  }

  /** Returns the first value of a cell, between 0 and 1, with no pattern that a step would keep. */
  static double first(long[] position) {
    long hash = 1;
    for (long at : position) {
      hash = (hash + at) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (hash >>> 40) * 0x1p-24;
  }

  /** Returns the case with so few cells that all of them can be compared. */
  GridCase small() {
    return of(dimensions, type, Math.min((long) cells(), 1 << 18));
  }

  /** Returns all cells in one block. */
  GridBlocks whole(StepReach reach) {
    return GridBlocks.cut(sizes(), 1, reach);
  }
}
