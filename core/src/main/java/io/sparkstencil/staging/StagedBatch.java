/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.cells.CellBuffer;

/**
 * The only thing that crosses into an engine: where the pieces lie, their cells, and whether any of
 * them is null.
 *
 * @param layout where each piece and its halos lie
 * @param cells the staged cells; borrowed
 * @param hasNulls whether validity bytes are staged: 1 for a cell, 0 for a null or missing one. If
 *     false there are no nulls and the validity bytes, if any, mean nothing
 */
public record StagedBatch(StagingLayout layout, CellBuffer cells, boolean hasNulls) {
  /** Returns the bytes of the staged cells, halos included. */
  public long bytes() {
    return (long) layout.stagedCells() * cells.type().bytes();
  }
}
