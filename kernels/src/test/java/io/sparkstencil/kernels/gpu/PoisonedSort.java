/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.engine.RowSort;

/** Sorts in memory that has been poisoned. */
final class PoisonedSort {
  private PoisonedSort() {}

  static RowSort open(GpuEngine engine, int rows, int columns) {
    long bytes = new SortParts(rows, columns).bytes();
    try (BufferLease<DeviceBuffer> lease = engine.memory.lease(bytes);
        CudaStream stream = engine.context().newStream()) {
      stream.fill(lease.buffer().address(), lease.buffer().bytes(), (byte) 0xFF);
      stream.synchronize();
    }
    return engine.openSort(rows, columns).orElseThrow();
  }
}
