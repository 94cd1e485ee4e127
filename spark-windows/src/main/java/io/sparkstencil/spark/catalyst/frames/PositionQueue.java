/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.util.Arrays;

/**
 * The cells of a frame that are, or may become, its extreme: each is surpassed by none after it.
 * The first is the extreme.
 */
final class PositionQueue {
  private int[] positions = new int[0];
  private int first;
  private int end;

  void clear() {
    first = 0;
    end = 0;
  }

  void resize(int length) {
    positions = Arrays.copyOf(positions, length);
  }

  /** Cells from {@code from} on move to the front of their array. */
  void moveToFront(int from) {
    for (int i = first; i < end; i++) {
      positions[i - first] = positions[i] - from;
    }
    end -= first;
    first = 0;
  }

  boolean isEmpty() {
    return first == end;
  }

  int first() {
    return positions[first];
  }

  int last() {
    return positions[end - 1];
  }

  void removeLast() {
    end--;
  }

  void add(int position) {
    positions[end++] = position;
  }

  /** Forgets a cell that is taken out. */
  void remove(int position) {
    if (!isEmpty() && positions[first] == position) {
      first++;
    }
  }
}
