/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import java.io.Serializable;
import java.util.List;

/** The cells of a block without its halo. */
public final class BlockCells implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Object[] fields;

  /**
   * Takes cells.
   *
   * @param fields an array of float or double for each field, in the program's order
   */
  public BlockCells(List<Object> fields) {
    this.fields = fields.toArray();
  }

  /** Returns an array of float or double for each field, in the program's order. */
  public List<Object> fields() {
    return List.of(fields);
  }
}
