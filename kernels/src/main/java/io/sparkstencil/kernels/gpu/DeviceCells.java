/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

/**
 * Cells in device memory.
 *
 * @param cells address of the first, aligned to 16 bytes
 * @param validity address of their validity, aligned to 16 bytes: bytes for staged cells, bits for
 *     columns; not read where there are no nulls
 */
public record DeviceCells(long cells, long validity) {
  /** Returns the place in memory that begins at {@code base}, of which this has the offsets. */
  DeviceCells in(long base) {
    return new DeviceCells(base + cells, base + validity);
  }

  /** Returns the place {@code count} cells of {@code bytes} bytes after this one. */
  DeviceCells after(int count, int bytes) {
    return new DeviceCells(cells + (long) count * bytes, validity + count);
  }
}
