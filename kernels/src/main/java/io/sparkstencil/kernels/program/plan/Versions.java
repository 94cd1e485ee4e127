/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Update;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which arrays have the cells of each field, and which the next pass may write.
 *
 * @param current the cells, one array per field
 * @param free an array for the results of each updated field; for the others the cells themselves
 */
public record Versions(List<Stored> current, List<Stored> free) {
  /** Copies the lists. */
  public Versions {
    current = List.copyOf(current);
    free = List.copyOf(free);
  }

  /**
   * Returns the updates that give a field the old cells of another one, {@code p' = u}, by field: a
   * single step need not copy these. No cells become those of two fields.
   */
  public static SortedMap<Integer, Integer> renamed(ProgramTraits traits) {
    TreeMap<Integer, Integer> renamed = new TreeMap<>();
    for (Update update : traits.program().updates()) {
      if (traits.program().nodes().get(update.node()) instanceof Node.Tap tap
          && !tap.updated()
          && tap.offset().stream().allMatch(distance -> distance == 0)
          && traits.program().updates(tap.field())
          && !renamed.containsValue(tap.field())) {
        renamed.put(update.field(), tap.field());
      }
    }
    return renamed;
  }

  /** Returns the arrays that have the cells of each field after a pass. */
  public List<Stored> results(SortedMap<Integer, Integer> renamed) {
    List<Stored> results = new ArrayList<>(free);
    renamed.forEach((field, source) -> results.set(field, current.get(source)));
    return results;
  }

  /** Returns the versions after a pass that has renamed some fields and written the others. */
  public Versions after(SortedMap<Integer, Integer> renamed) {
    List<Stored> next = results(renamed);
    Set<Stored> used = new HashSet<>(next);
    List<Stored> unused = new ArrayList<>(current);
    unused.addAll(free);
    unused.removeIf(used::contains);
    List<Stored> nextFree = new ArrayList<>();
    for (int field = 0; field < next.size(); field++) {
      boolean readOnly = current.get(field).equals(free.get(field));
      nextFree.add(readOnly ? next.get(field) : unused.remove(0));
    }
    return new Versions(next, nextFree);
  }
}
