/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.FieldBoundary;
import java.util.Arrays;

/**
 * Gives the cells of a tile outside a field their values by the field's boundary.
 *
 * @param geometry the field's cells, and the axes along which tiles wrap
 * @param boundary the rules
 */
record Margins(Geometry geometry, FieldBoundary boundary) {
  /**
   * Fills the cells of a tile outside the field from those inside, fastest axis first.
   *
   * @param box the positions that the tile holds
   * @param first the first position along the slowest axis whose cells are new
   * @param last the position after the last of these
   */
  void fill(Object tile, TileBox box, int first, int last) {
    for (int axis = TileBox.AXES - 1; axis >= geometry.slowest(); axis--) {
      if (!geometry.wraps(axis)) {
        for (int position = box.low()[axis]; position < 0; position++) {
          fill(tile, box, axis, position, first, last);
        }
        // until the last cells of the slowest axis are new, those beyond are of an earlier step
        int from =
            axis == geometry.slowest() && last < geometry.domain(axis) ? box.high()[axis] : 0;
        from = Math.max(from, geometry.domain(axis));
        for (int position = from; position < box.high()[axis]; position++) {
          fill(tile, box, axis, position, first, last);
        }
      }
    }
  }

  /** Fills a slice: all cells of faster axes, and those of slower axes that are in the field. */
  private void fill(Object tile, TileBox box, int axis, int position, int first, int last) {
    Boundary rule = rule(axis, position);
    long source = rule.sourceIndex(position, geometry.domain(axis));
    if (source >= box.high()[axis] || (source >= 0 && source < box.low()[axis])) {
      return; // no later step reads this cell
    }
    int length = box.stride(axis);
    int distance = (int) (source - position) * length;
    TileBox cells = slice(box, axis, first, last);
    for (int z = cells.low()[0]; z < cells.high()[0]; z++) {
      for (int y = cells.low()[1]; y < cells.high()[1]; y++) {
        int to =
            switch (axis) {
              case 0 -> box.index(position, box.low()[1], box.low()[2]);
              case 1 -> box.index(z, position, box.low()[2]);
              default -> box.index(z, y, position);
            };
        if (source < 0) {
          set(tile, to, length, rule.constant());
        } else {
          System.arraycopy(tile, to + distance, tile, to, length);
        }
      }
    }
  }

  /** Returns the positions of slower axes that have a slice; one where an axis is no slower. */
  private TileBox slice(TileBox box, int axis, int first, int last) {
    int[] low = new int[TileBox.AXES];
    int[] high = {1, 1, 1};
    for (int slower = geometry.slowest(); slower < axis; slower++) {
      boolean ends = !geometry.wraps(slower);
      low[slower] = ends ? Math.max(0, box.low()[slower]) : box.low()[slower];
      high[slower] =
          ends ? Math.min(geometry.domain(slower), box.high()[slower]) : box.high()[slower];
      if (slower == geometry.slowest()) {
        low[slower] = first;
        high[slower] = last;
      }
    }
    return new TileBox(low, high);
  }

  private Boundary rule(int axis, int position) {
    return boundary.beside(geometry.programAxis(axis), position);
  }

  /**
   * Copies cells from a field, those outside by its boundary.
   *
   * @param box the positions that the tile holds
   * @param cells those to copy, all of faster axes
   */
  void load(Object field, Object tile, TileBox box, TileBox cells) {
    for (int z = cells.low()[0]; z < cells.high()[0]; z++) {
      for (int y = cells.low()[1]; y < cells.high()[1]; y++) {
        int low = cells.low()[2];
        int row = box.index(z, y, low);
        if (outside(0, z) && source(0, z) < 0) {
          set(tile, row, cells.size(2), rule(0, z).constant());
        } else if (outside(1, y) && source(1, y) < 0) {
          set(tile, row, cells.size(2), rule(1, y).constant());
        } else {
          int from = (source(0, z) * geometry.domain(1) + source(1, y)) * geometry.domain(2);
          loadRow(field, from, tile, row, low, cells.high()[2]);
        }
      }
    }
  }

  private void loadRow(Object field, int from, Object tile, int to, int low, int high) {
    int first = Math.min(Math.max(0, low), high);
    int last = Math.max(Math.min(geometry.domain(2), high), first);
    loadOutside(field, from, tile, to, low, low, first);
    if (first < last) {
      System.arraycopy(field, from + first, tile, to + first - low, last - first);
    }
    loadOutside(field, from, tile, to, low, last, high);
  }

  private void loadOutside(
      Object field, int from, Object tile, int to, int low, int first, int last) {
    for (int x = first; x < last; x++) {
      int source = source(2, x);
      if (source < 0) {
        set(tile, to + x - low, 1, rule(2, x).constant());
      } else {
        System.arraycopy(field, from + source, tile, to + x - low, 1);
      }
    }
  }

  private boolean outside(int axis, int position) {
    return position < 0 || position >= geometry.domain(axis);
  }

  private int source(int axis, int position) {
    return outside(axis, position)
        ? (int) rule(axis, position).sourceIndex(position, geometry.domain(axis))
        : position;
  }

  private static void set(Object tile, int at, int n, double value) {
    if (tile instanceof float[] floats) {
      Arrays.fill(floats, at, at + n, (float) value);
    } else {
      Arrays.fill((double[]) tile, at, at + n, value);
    }
  }
}
