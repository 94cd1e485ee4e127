/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import java.util.Arrays;

/** A list of ints that grows. */
final class IntList {
  private int[] values = new int[16];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  void addAll(IntList other) {
    if (size + other.size > values.length) {
      values = Arrays.copyOf(values, Math.max(2 * values.length, size + other.size));
    }
    System.arraycopy(other.values, 0, values, size, other.size);
    size += other.size;
  }

  int get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }
}
