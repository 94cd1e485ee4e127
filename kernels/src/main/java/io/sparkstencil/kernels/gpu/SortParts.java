/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.kernels.codegen.sort.SortTask;

/**
 * Where the parts of a sort lie in device memory. Before the columns there is room for one more:
 * gathering goes from each column to the place before it, whose column has been gathered then.
 * Passes take turns on two sets of sort words and row numbers.
 *
 * <pre>
 *   memory   | room | column 0 | ... | last column | words | words | indexes | indexes | counts | totals | added |
 * </pre>
 */
final class SortParts {
  private final long columnBytes;
  private final long room;
  private final long[] words = new long[2];
  private final long[] indexes = new long[2];
  private final long counts;
  private final long totals;
  private final long added;
  private final long bytes;

  SortParts(int rows, int columns) {
    DeviceParts parts = new DeviceParts();
    columnBytes = (long) rows * Long.BYTES;
    room = parts.add((columns + 1) * columnBytes);
    for (int i = 0; i < 2; i++) {
      words[i] = parts.add(columnBytes);
      indexes[i] = parts.add((long) rows * Integer.BYTES);
    }
    counts = parts.add((long) SortTask.tiles(rows) * SortTask.DIGITS * Integer.BYTES);
    totals = parts.add((long) SortTask.DIGITS * Integer.BYTES);
    added = parts.add(SortStage.BYTES);
    bytes = parts.bytes();
  }

  /** Returns where a column is. */
  long column(int column) {
    return gathered(column + 1);
  }

  /** Returns where a column is once it has been gathered. */
  long gathered(int column) {
    return room + column * columnBytes;
  }

  /** Returns the sort words before a pass. */
  long words(int pass) {
    return words[pass % 2];
  }

  /** Returns the numbers of their rows before a pass. */
  long indexes(int pass) {
    return indexes[pass % 2];
  }

  long counts() {
    return counts;
  }

  long totals() {
    return totals;
  }

  /** Returns where rows are as they were added. */
  long added() {
    return added;
  }

  long bytes() {
    return bytes;
  }
}
