/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.io.Serializable;
import java.util.List;

/**
 * The cells of a block without its halo.
 *
 * @param fields an array of float or double for each field, in the program's order
 */
public record BlockCells(List<Object> fields) implements Serializable {
  /** Copies the list. */
  public BlockCells {
    fields = List.copyOf(fields);
  }
}
