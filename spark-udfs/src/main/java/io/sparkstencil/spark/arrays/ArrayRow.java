/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.pipeline.ItemCells;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.catalyst.interop.MemoryCells;
import java.util.ArrayList;
import java.util.List;

/**
 * The arrays of one row, as their reader finds them. Of each input, arrays are told from the
 * outside in and from left to right: {@code array<array<float>>} with {@code [[a, b], null]} is
 * {@code array(2), leaf(2), array(NULL)}. Reused for every row.
 */
public final class ArrayRow {
  /** The length of an array that is null. */
  public static final int NULL = -1;

  /** Segments over the leaves of one input, of which each row uses the first ones. */
  private static final class Leaves {
    private final ElementType type;
    private final List<MemoryCells> cells = new ArrayList<>();
    private final List<Segment<Void>> segments = new ArrayList<>();
    private int used;

    Leaves(ElementType type) {
      this.type = type;
    }
  }

  private final Leaves[] inputs;
  private ItemCells item;

  /** Creates a row of these inputs. */
  ArrayRow(List<ElementType> inputs) {
    this.inputs = inputs.stream().map(Leaves::new).toArray(Leaves[]::new);
  }

  /** Forgets the arrays; those told next are added to {@code next}. */
  ArrayRow on(ItemCells next) {
    item = next;
    for (Leaves leaves : inputs) {
      leaves.used = 0;
    }
    return this;
  }

  /** Adds an array of {@code length} arrays, which follow, or a null array of any kind. */
  public void array(int input, int length) {
    item.note(input, noteOf(length));
  }

  private static int noteOf(int length) {
    return length == NULL ? NULL : -2 - length;
  }

  /** Returns the length that was noted, or is that of a leaf. */
  static int lengthOf(int note) {
    return note >= NULL ? note : -2 - note;
  }

  /** Adds an array of {@code length} numbers and returns what is to be pointed to them. */
  public MemoryCells leaf(int input, int length) {
    Leaves leaves = inputs[input];
    if (leaves.used == leaves.cells.size()) {
      MemoryCells made = new MemoryCells(leaves.type);
      leaves.cells.add(made);
      leaves.segments.add(new Segment<>(null, made, null, null, 0));
    }
    MemoryCells cells = leaves.cells.get(leaves.used);
    cells.setLength(length);
    item.add(input, leaves.segments.get(leaves.used++));
    return cells;
  }
}
