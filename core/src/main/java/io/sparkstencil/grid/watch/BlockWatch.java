/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.StrayCells;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Watches the updated fields of a block for stray cells. Those that are there from the beginning,
 * such as a land mask of NaN, are known; so are those that were found before. Used by one thread at
 * a time.
 */
public final class BlockWatch {
  /** The cells that are looked at together, in a copy. */
  private static final int SLAB_CELLS = 1 << 20;

  private final double bound;
  private final List<Known> fields = new ArrayList<>();
  private long checked;

  /** The stray cells of a field that are known, by their places among the block's cells. */
  private static final class Known {
    private long sum;
    private BitSet places = new BitSet();
  }

  /**
   * Takes the stray cells that are there for known.
   *
   * @param updated the number of updated fields, which are the first
   * @param bound the largest number that is no stray cell, one that the cells' type can have
   * @param steps the steps of the grid
   */
  public BlockWatch(BlockFields block, int updated, double bound, long steps) {
    this.bound = bound;
    this.checked = steps;
    for (int field = 0; field < updated; field++) {
      Known known = new Known();
      known.sum = block.strays(field, bound);
      fields.add(known);
      if (known.sum != 0) {
        look(block, field, known, steps);
      }
    }
  }

  /**
   * Returns the new stray cells of each field, which are known from then on.
   *
   * @param steps the steps of the grid
   */
  public List<NewStray> check(BlockFields block, long steps) {
    List<NewStray> found = new ArrayList<>();
    for (int field = 0; field < fields.size(); field++) {
      Known known = fields.get(field);
      long sum = block.strays(field, bound);
      if (sum != known.sum) {
        known.sum = sum;
        look(block, field, known, steps).ifPresent(found::add);
      }
    }
    checked = steps;
    return found;
  }

  /** Goes through all cells; stray ones are known then. */
  private Optional<NewStray> look(BlockFields block, int field, Known known, long steps) {
    BitSet places = new BitSet();
    List<Long> first = null;
    double value = 0;
    long count = 0;
    int place = 0;
    for (Box slab : block.place().own().pieces(SLAB_CELLS)) {
      Object cells = block.cells(field, slab);
      for (int i = 0; i < slab.cells(); i++, place++) {
        double cell = Array.getDouble(cells, i);
        if (!StrayCells.isStray(cell, bound)) {
          continue;
        }
        places.set(place);
        if (!known.places.get(place)) {
          value = first == null ? cell : value;
          first = first == null ? slab.position(i) : first;
          count++;
        }
      }
    }
    known.places = places;
    return count == 0
        ? Optional.empty()
        : Optional.of(new NewStray(field, first, value, count, steps, checked));
  }
}
