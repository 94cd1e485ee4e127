/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.io.Serializable;
import java.util.List;

/**
 * The rows of a chunk that the result has; the others are there for frames alone.
 *
 * @param ranges where they are, in their order; none is empty
 * @param rows their number
 */
public record EmittedRows(List<Range> ranges, int rows) implements Serializable {
  /**
   * Rows that follow one another.
   *
   * @param from the first of them
   * @param rows their number
   */
  public record Range(int from, int rows) implements Serializable {}

  /** Creates what there is of ranges. */
  public EmittedRows(List<Range> ranges) {
    this(ranges, ranges.stream().mapToInt(Range::rows).sum());
  }

  /** Returns those rows of a chunk of {@code length} that are in {@code [from, until)}. */
  public static EmittedRows of(int length, long from, long until) {
    int first = (int) Math.min(length, Math.max(0, from));
    int end = (int) Math.max(first, Math.min(length, until));
    return new EmittedRows(first == end ? List.of() : List.of(new Range(first, end - first)));
  }
}
