/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.FieldBoundary;
import java.util.List;
import java.util.OptionalInt;

/**
 * The ends of fields at which a {@link RowStream} holds the boundary. A cell outside is a copy of
 * one that is as near to the end, which the stream has then, or a constant; so fields that wrap
 * along an axis are left to others.
 *
 * @param boundaries the rules, one per field
 * @param rows whether the boundary is held before the first and behind the last row
 * @param columns whether it is held at both ends of each row
 * @param padding cells behind the last one of a row that are in its last chunk
 */
record RowEnds(List<FieldBoundary> boundaries, boolean rows, boolean columns, int padding) {
  /** More cells than any program reaches. */
  private static final int MANY = 1 << 24;

  /** No ends at all: those of a stream that no boundary reaches. */
  static final RowEnds NONE = new RowEnds(List.of(), false, false, 0);

  /** Copies the list. */
  RowEnds {
    boundaries = List.copyOf(boundaries);
  }

  /**
   * Returns the ends that can be held.
   *
   * @param padding cells behind the last one of a row that are in its last chunk
   */
  static RowEnds of(List<FieldBoundary> boundaries, int padding) {
    return new RowEnds(boundaries, holds(boundaries, 0), holds(boundaries, 1), padding);
  }

  private static boolean holds(List<FieldBoundary> boundaries, int axis) {
    return boundaries.stream()
        .allMatch(boundary -> boundary.low().get(axis).mode() != Boundary.Mode.WRAP);
  }

  /** Returns whether there are any. */
  boolean any() {
    return rows || columns;
  }

  /** Returns the rule of a field at one side of an axis. */
  Boundary rule(int field, int axis, boolean high) {
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
  OptionalInt source(int field, int axis, boolean high, int distance) {
    long position = high ? MANY - 1L + distance : -distance;
    long source = rule(field, axis, high).sourceIndex(position, MANY);
    return source < 0
        ? OptionalInt.empty()
        : OptionalInt.of((int) (high ? MANY - 1 - source : source));
  }
}
