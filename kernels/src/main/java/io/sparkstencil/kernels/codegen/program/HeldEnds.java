/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.FieldBoundary;
import java.util.List;
import java.util.OptionalInt;

/**
 * The ends of fields at which a kernel holds the boundary. A cell outside is a copy of one that is
 * as near to the end, which the kernel has then, or a constant; so fields that wrap along an axis
 * are left to others.
 *
 * @param boundaries the rules, one per field
 * @param rows whether the boundary is held before the first and behind the last row: along the axis
 *     before the last
 * @param columns whether it is held at both ends of each row: along the last axis
 * @param padding cells behind the last one of a row that are in its last chunk
 */
public record HeldEnds(List<FieldBoundary> boundaries, boolean rows, boolean columns, int padding) {
  /** More cells than any program reaches. */
  private static final int MANY = 1 << 24;

  /** No ends at all: those of a kernel that no boundary reaches. */
  public static final HeldEnds NONE = new HeldEnds(List.of(), false, false, 0);

  /** Copies the list. */
  public HeldEnds {
    boundaries = List.copyOf(boundaries);
  }

  /**
   * Returns the ends that can be held.
   *
   * @param sizes the cells of the fields along each axis
   * @param chunk the cells that are copied at once
   */
  public static HeldEnds of(List<FieldBoundary> boundaries, List<Integer> sizes, int chunk) {
    int last = sizes.size() - 1;
    int padding = Math.floorMod(-sizes.get(last), chunk);
    return new HeldEnds(boundaries, holds(boundaries, last - 1), holds(boundaries, last), padding);
  }

  private static boolean holds(List<FieldBoundary> boundaries, int axis) {
    return boundaries.stream()
        .allMatch(boundary -> boundary.low().get(axis).mode() != Boundary.Mode.WRAP);
  }

  /** Returns these ends without some. */
  public HeldEnds only(boolean ofRows, boolean ofColumns) {
    return new HeldEnds(boundaries, rows && ofRows, columns && ofColumns, padding);
  }

  /** Returns whether there are any. */
  public boolean any() {
    return rows || columns;
  }

  /** Returns the rule of a field at one side of an axis. */
  public Boundary rule(int field, int axis, boolean high) {
    FieldBoundary boundary = boundaries.get(field);
    return (high ? boundary.high() : boundary.low()).get(axis);
  }

  /**
   * Returns where the value of a cell outside is found.
   *
   * @param high whether it is behind the last cell of the axis, or else before the first
   * @param distance from the cell at that end, at least 1
   * @return the distance of its source from the cell at that end, at least 0; nothing if its value
   *     is a constant
   */
  public OptionalInt source(int field, int axis, boolean high, int distance) {
    long position = high ? MANY - 1L + distance : -distance;
    long source = rule(field, axis, high).sourceIndex(position, MANY);
    return source < 0
        ? OptionalInt.empty()
        : OptionalInt.of((int) (high ? MANY - 1 - source : source));
  }
}
