/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;

/** One reduction per thread in shared memory, for other threads to read. */
final class TotalsRow {
  private final KernelFrame frame;
  private final int cellBytes;
  private final Register values;
  private final Register counts;

  /** Reserves a row of {@code length} reductions. */
  TotalsRow(KernelFrame frame, int length) {
    this.frame = frame;
    this.cellBytes = frame.what.type().bytes();
    this.values =
        frame.sharedAddress(
            frame.sharedAddress(frame.reserveShared(length * cellBytes)), frame.thread, cellBytes);
    this.counts =
        frame.math.counts()
            ? frame.sharedAddress(
                frame.sharedAddress(frame.reserveShared(length * 4)), frame.thread, 4)
            : null;
  }

  /** Writes the reduction of the thread {@code ahead} further on. */
  void store(int ahead, Cell total) {
    frame.k.put(
        "st.shared." + CellType.memory(frame.what.type()),
        Address.at(values, ahead * cellBytes),
        total.value());
    if (counts != null) {
      frame.k.put("st.shared.b32", Address.at(counts, ahead * 4), total.count());
    }
  }

  /** Reads the reduction of the thread {@code ahead} further on. */
  Cell load(int ahead) {
    Register value =
        frame.k.make(
            frame.math.registers(),
            "ld.shared." + CellType.memory(frame.what.type()),
            Address.at(values, ahead * cellBytes));
    Register count =
        counts == null
            ? null
            : frame.k.make(PtxType.B32, "ld.shared.b32", Address.at(counts, ahead * 4));
    return new Cell(value, count);
  }
}
