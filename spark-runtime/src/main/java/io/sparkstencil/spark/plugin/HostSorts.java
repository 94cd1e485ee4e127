/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.cpu.sort.CpuRowSort;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.StencilException;
import java.util.Optional;

/** Sorts rows by the thread that asks for it, in memory of the host. */
public final class HostSorts implements RowSorts {
  @Override
  public long hostBytes(int rows, int columns) {
    return CpuRowSort.bytes(rows, columns);
  }

  @Override
  public Optional<RowSort> open(int rows, int columns) {
    return Optional.of(new CpuRowSort(rows, columns));
  }

  @Override
  public boolean isLeftToHost(StencilException failure) {
    return false; // there is nobody else
  }
}
