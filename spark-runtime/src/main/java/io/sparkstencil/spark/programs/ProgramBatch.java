/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.generate.PresentCells;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Arrays that wait to be computed together: those of one extent are one run of the program. Reused
 * for one batch after the other, by one thread.
 */
public final class ProgramBatch {
  /** Enough that the cost of a run does not count. */
  private static final long MOST_BYTES = 4L << 20;

  /** So that rows with small arrays do not wait for many others. */
  private static final int MOST_ARRAYS = 1 << 14;

  private static final int FIRST_ARRAYS = 16;

  private final ProgramRunner runner;
  private final ElementType type;
  private final int fields;
  private final double substitute;
  private Map<Extent, Group> groups = new HashMap<>();
  private int arrays;
  private long bytes;
  private boolean large; // whether there is an array that runs alone

  /**
   * Creates an empty batch.
   *
   * @param runner runs the program; borrowed
   * @param type the type of the cells
   */
  public ProgramBatch(ProgramRunner runner, ElementType type) {
    this.runner = runner;
    this.type = type;
    fields = runner.operation().arrays().size();
    // what a program makes of 0 is not used, but is the same each time
    substitute = runner.operation().present().map(PresentCells::substitute).orElse(0.0);
  }

  /** The arrays of one extent. */
  private static final class Group {
    private final Extent extent;
    private final double substitute; // for a missing cell
    private final List<Object> cells = new ArrayList<>(); // of each field
    private final List<Object> missing = new ArrayList<>(); // float[] of each; empty if none is
    private int capacity;
    private int count;

    Group(Extent extent, double substitute) {
      this.extent = extent;
      this.substitute = substitute;
    }
  }

  /**
   * The place of a row's array, or of its arrays for several fields.
   *
   * @param group the arrays of its extent
   * @param index where it is among them
   */
  public record Entry(Group group, int index) {
    /**
     * Returns the cells of all arrays of this extent: those of the arrays before and after a run.
     *
     * @param field the index of the field among those that are arrays
     */
    public Object cells(int field) {
      return group.cells.get(field);
    }

    /** Returns the index of the array's first cell. */
    public int at() {
      return index * group.extent.cells();
    }

    /** Returns the extent of the array. */
    public Extent extent() {
      return group.extent;
    }

    /** Says that a cell of the array is missing. */
    public void setMissing(int field, int cell) {
      if (group.missing.isEmpty()) {
        group.cells.forEach(
            each -> group.missing.add(new float[group.capacity * group.extent.cells()]));
      }
      ((float[]) group.missing.get(field))[at() + cell] = 1;
      if (cells(field) instanceof float[] floats) {
        floats[at() + cell] = (float) group.substitute;
      } else {
        ((double[]) cells(field))[at() + cell] = group.substitute;
      }
    }

    /**
     * Returns marks of all arrays of this extent, above 0 for missing results; null if there are
     * none.
     */
    public float[] missing(int field) {
      return group.missing.isEmpty() ? null : (float[]) group.missing.get(field);
    }
  }

  /** Returns the type of the cells. */
  public ElementType type() {
    return type;
  }

  /** Adds an array, or one for each field, whose cells the caller then writes. */
  public Entry add(Extent extent) {
    Group group = groups.get(extent);
    if (group == null) {
      group = new Group(extent, substitute);
      groups.put(extent, group);
      resize(group, 1);
    }
    if (group.count == group.capacity) {
      grow(group);
    }
    arrays++;
    bytes += bytesOf(extent);
    large |= extent.cells() > ProgramRunner.MOST_BATCHED_CELLS;
    return new Entry(group, group.count++);
  }

  private long bytesOf(Extent extent) {
    return (long) extent.cells() * type.bytes() * fields;
  }

  private void grow(Group group) {
    int most = (int) Math.max(1, Math.min(MOST_ARRAYS, MOST_BYTES / bytesOf(group.extent)));
    int wanted = Math.max(FIRST_ARRAYS, 2 * group.count);
    resize(group, Math.max(group.count + 1, Math.min(most, wanted)));
  }

  private void resize(Group group, int capacity) {
    resize(type, group.cells, group, capacity);
    if (!group.missing.isEmpty()) {
      resize(ElementType.F32, group.missing, group, capacity);
    }
    group.capacity = capacity;
  }

  private void resize(ElementType of, List<Object> arraysOfFields, Group group, int capacity) {
    List<Object> before = List.copyOf(arraysOfFields);
    arraysOfFields.clear();
    for (int field = 0; field < fields; field++) {
      Object made = of.newArray(capacity * group.extent.cells());
      if (!before.isEmpty()) {
        System.arraycopy(before.get(field), 0, made, 0, group.count * group.extent.cells());
      }
      arraysOfFields.add(made);
    }
  }

  /** Tells whether the arrays should be computed before others are added. */
  public boolean isFull() {
    return large || arrays >= MOST_ARRAYS || bytes >= MOST_BYTES;
  }

  /** Computes all arrays: their cells are the results then. */
  public void run() {
    for (Group group : groups.values()) {
      if (group.count == 0) {
        continue;
      }
      if (group.count < group.capacity) {
        resize(group, group.count);
      }
      runner.run(type, group.extent, group.count, group.cells, group.missing);
    }
  }

  /** Forgets the arrays, whose results have been read. */
  public void clear() {
    Map<Extent, Group> kept = new HashMap<>();
    for (Group group : groups.values()) {
      if (group.count > 0) { // its memory is likely to be of use again
        group.count = 0;
        group.missing.clear();
        kept.put(group.extent, group);
      }
    }
    groups = kept;
    arrays = 0;
    bytes = 0;
    large = false;
  }
}
