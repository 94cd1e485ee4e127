/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Register;

/** One reduction per thread, or per warp, in shared memory, for other threads to read. */
final class TotalsRow {
  private final WindowKernel kernel;
  private final int cellBytes;
  private final Register values;
  private final Register counts;
  private final Register ownValue;
  private final Register ownCount;

  /**
   * Reserves a row of {@code length} reductions.
   *
   * @param index this thread's own place in the row
   */
  TotalsRow(WindowKernel kernel, int length, Register index) {
    this.kernel = kernel;
    this.cellBytes = kernel.cellBytes;
    this.values = kernel.sharedAddress(kernel.reserveShared(length * cellBytes));
    this.ownValue = kernel.sharedAddress(values, index, cellBytes);
    if (kernel.math.counts()) {
      this.counts = kernel.sharedAddress(kernel.reserveShared(length * 4));
      this.ownCount = kernel.sharedAddress(counts, index, 4);
    } else {
      this.counts = null;
      this.ownCount = null;
    }
  }

  /** Writes the reduction {@code ahead} places after this thread's own. */
  void store(int ahead, Cell total) {
    kernel.k.put(
        "st.shared." + CellType.memory(kernel.what.type()),
        Address.at(ownValue, ahead * cellBytes),
        total.value());
    if (counts != null) {
      kernel.k.put("st.shared.b32", Address.at(ownCount, ahead * 4), total.count());
    }
  }

  /** Reads the reduction {@code ahead} places after this thread's own. */
  Cell load(int ahead) {
    return load(ownValue, ownCount, ahead);
  }

  /** Reads the reduction at {@code place}. */
  Cell loadAt(int place) {
    return load(values, counts, place);
  }

  private Cell load(Register valueAt, Register countAt, int ahead) {
    Register value = kernel.math.load("ld.shared", Address.at(valueAt, ahead * cellBytes));
    Register count =
        countAt == null ? null : kernel.k.b32("ld.shared.b32", Address.at(countAt, ahead * 4));
    return new Cell(value, count);
  }
}
