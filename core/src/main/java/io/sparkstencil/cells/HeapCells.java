/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cells;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Array;

/**
 * Cells in a primitive array, which is borrowed.
 *
 * @param array primitive array of the element type
 * @param validity 1 for a cell and 0 for null, same indices as {@code array}; null if none is null
 * @param from index of the first cell
 * @param cells number of cells
 */
public record HeapCells(Object array, byte[] validity, int from, int cells) implements CellSource {
  /** Checks that the arrays have so many entries. */
  public HeapCells {
    requireNonNull(array, "cells is null");
    int capacity = Array.getLength(array);
    if (from < 0 || cells < 0 || from > capacity - cells) {
      throw new IllegalArgumentException(
          "cells [%d, %d) are not in an array of %d"
              .formatted(from, (long) from + cells, capacity));
    }
    if (validity != null && validity.length < from + cells) {
      throw new IllegalArgumentException(
          "validity has %d entries for cells up to %d".formatted(validity.length, from + cells));
    }
  }

  @Override
  public long length() {
    return cells;
  }

  @Override
  public boolean hasNulls() {
    return validity != null;
  }

  @Override
  public void copy(long first, int count, CellBuffer target, int at) {
    target.write(at, array, from + (int) first, count);
  }

  @Override
  public void copyValidity(long first, int count, CellBuffer target, int at) {
    target.writeValidity(at, validity, from + (int) first, count);
  }

  @Override
  public void gather(long[] indices, int count, Object target) {
    if (array instanceof float[] source) {
      float[] to = (float[]) target;
      for (int i = 0; i < count; i++) {
        to[i] = source[from + (int) indices[i]];
      }
    } else if (array instanceof double[] source) {
      double[] to = (double[]) target;
      for (int i = 0; i < count; i++) {
        to[i] = source[from + (int) indices[i]];
      }
    } else if (array instanceof int[] source) {
      int[] to = (int[]) target;
      for (int i = 0; i < count; i++) {
        to[i] = source[from + (int) indices[i]];
      }
    } else {
      long[] source = (long[]) array;
      long[] to = (long[]) target;
      for (int i = 0; i < count; i++) {
        to[i] = source[from + (int) indices[i]];
      }
    }
  }

  @Override
  public void gatherValidity(long[] indices, int count, byte[] target) {
    for (int i = 0; i < count; i++) {
      target[i] = validity[from + (int) indices[i]];
    }
  }

  @Override
  public HeapCells onHeap() {
    return this;
  }
}
