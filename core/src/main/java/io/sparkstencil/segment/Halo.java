/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.segment;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.cells.HeapCells;
import java.io.Serializable;
import java.lang.reflect.Array;

/**
 * The cells beside a segment, in the order of the series, whatever they come from: a neighbouring
 * partition, the same series further on, or the boundary rule.
 *
 * @param cells primitive array of the element type, shape {@code [halo cells]}
 * @param validity 1 for a cell that is there, 0 for null; null if no cell is null; same shape
 * @param missing cells outside the series, which have no value: the first ones of a left halo, the
 *     last ones of a right halo. Their entries in {@code cells} mean nothing
 */
public record Halo(Object cells, byte[] validity, int missing) implements Serializable {
  /** Checks the shapes. */
  public Halo {
    requireNonNull(cells, "cells is null");
    int length = Array.getLength(cells);
    if (validity != null && validity.length != length) {
      throw new IllegalArgumentException(
          "validity has %d entries for %d cells".formatted(validity.length, length));
    }
    if (missing < 0 || missing > length) {
      throw new IllegalArgumentException("missing is %d of %d cells".formatted(missing, length));
    }
  }

  /** Returns the cells, missing ones included. */
  public HeapCells source() {
    return new HeapCells(cells, validity, 0, length());
  }

  /** Returns the number of cells, missing ones included. */
  public int length() {
    return Array.getLength(cells);
  }
}
