/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import java.util.List;

/**
 * Where the value of a position outside a field is found, for every field, axis, and position that
 * a program reaches: the table that kernels read near the ends. For each field and axis, it has the
 * positions before the first cell and then those after the last. Sides that are constant have
 * entries that nobody reads.
 */
public final class BoundaryTables {
  private final ProgramTraits traits;
  private final int[][] before;
  private final int[][] after;
  private final int[][] start;
  private final int entries;

  /** Measures how far a program reaches. */
  public BoundaryTables(ProgramTraits traits) {
    this.traits = traits;
    int fields = traits.program().fields().size();
    int dimensions = traits.program().dimensions();
    before = new int[fields][dimensions];
    after = new int[fields][dimensions];
    start = new int[fields][dimensions];
    for (Node node : traits.program().nodes()) {
      if (node instanceof Node.Tap tap) {
        for (int axis = 0; axis < dimensions; axis++) {
          int distance = tap.offset().get(axis);
          before[tap.field()][axis] = Math.max(before[tap.field()][axis], -distance);
          after[tap.field()][axis] = Math.max(after[tap.field()][axis], distance);
        }
      }
    }
    int at = 0;
    for (int field = 0; field < fields; field++) {
      for (int axis = 0; axis < dimensions; axis++) {
        start[field][axis] = at;
        at += before[field][axis] + after[field][axis];
      }
    }
    entries = at;
  }

  /** Returns the entry of the position after the last cell; those before the first end here. */
  int entryBehind(int field, int axis) {
    return start[field][axis] + before[field][axis];
  }

  /** Returns the entries, as many for every extent. */
  public int entries() {
    return entries;
  }

  /**
   * Returns the table for one extent.
   *
   * @param sizes the cells along each axis, slowest first
   */
  public int[] table(List<Integer> sizes) {
    int[] table = new int[entries];
    for (int field = 0; field < start.length; field++) {
      FieldBoundary boundary = traits.program().boundaries().get(field);
      for (int axis = 0; axis < sizes.size(); axis++) {
        int cells = sizes.get(axis);
        int at = entryBehind(field, axis);
        for (int distance = 1; distance <= before[field][axis]; distance++) {
          table[at - distance] =
              (int) boundary.beside(axis, -distance).sourceIndex(-distance, cells);
        }
        for (int distance = 0; distance < after[field][axis]; distance++) {
          long position = (long) cells + distance;
          table[at + distance] = (int) boundary.beside(axis, position).sourceIndex(position, cells);
        }
      }
    }
    return table;
  }
}
