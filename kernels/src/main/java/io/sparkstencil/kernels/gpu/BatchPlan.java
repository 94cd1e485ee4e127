/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;

/**
 * Where the parts of a batch lie in one piece of device memory, each on a boundary of 256 bytes:
 *
 * <pre>
 *   | cells | validity | piece table | outputs 0 | validity 0 | outputs 1 | ...
 * </pre>
 */
final class BatchPlan {
  /** Bytes of one row of the piece table: start, cells, missingLeft, missingRight. */
  static final int PIECE_BYTES = 16;

  private static final long ALIGNMENT = 256;

  private final long validityOffset;
  private final long tableOffset;
  private final long outputsOffset;
  private final long cellBytes;
  private final long validityBytes;
  private final int outputs;

  BatchPlan(StagedBatch batch, int outputs, int tableRows) {
    StagingLayout layout = batch.layout();
    ElementType type = batch.cells().type();
    this.outputs = outputs;
    cellBytes = aligned((long) layout.stagedCells() * type.bytes());
    validityBytes = batch.hasNulls() ? aligned(layout.stagedCells()) : 0;
    validityOffset = cellBytes;
    tableOffset = validityOffset + validityBytes;
    outputsOffset = tableOffset + aligned((long) tableRows * PIECE_BYTES);
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  long validityOffset() {
    return validityOffset;
  }

  long tableOffset() {
    return tableOffset;
  }

  long outputOffset(int output) {
    return outputsOffset + output * (cellBytes + validityBytes);
  }

  long outputValidityOffset(int output) {
    return outputOffset(output) + cellBytes;
  }

  long bytes() {
    return outputOffset(outputs);
  }
}
