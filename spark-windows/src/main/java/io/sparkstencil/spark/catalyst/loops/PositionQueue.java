/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

/**
 * The cells of a frame that are, or may become, its extreme: each is surpassed by none after it.
 * The first is the extreme.
 */
final class PositionQueue {
  private int[] positions = new int[0];
  private int first;
  private int end;

  /** Forgets all cells. */
  void clear() {
    first = 0;
    end = 0;
  }

  /** Cells from {@code from} on move to the front of their array. */
  void moveToFront(int from) {
    for (int i = first; i < end; i++) {
      positions[i - first] = positions[i] - from;
    }
    end -= first;
    first = 0;
  }

  /** Tells whether there are no cells. */
  boolean isEmpty() {
    return first == end;
  }

  /** Returns the first cell. */
  int first() {
    return positions[first];
  }

  /** Returns the last cell. */
  int last() {
    return positions[end - 1];
  }

  /** Forgets the last cell. */
  void removeLast() {
    end--;
  }

  /** Adds a cell after all others. */
  void add(int position) {
    if (end == positions.length) {
      makeRoom();
    }
    positions[end++] = position;
  }

  private void makeRoom() {
    int size = end - first;
    int[] to = 2 * size >= positions.length ? new int[Math.max(64, 2 * size)] : positions;
    System.arraycopy(positions, first, to, 0, size);
    positions = to;
    first = 0;
    end = size;
  }

  /** Returns how many cells there are. */
  int size() {
    return end - first;
  }

  /** Returns cell {@code index} of them, the first being 0. */
  int get(int index) {
    return positions[first + index];
  }

  /** Forgets the cells before a position. */
  void removeBefore(int position) {
    while (first < end && positions[first] < position) {
      first++;
    }
  }
}
