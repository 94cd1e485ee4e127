/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/** One reduction per thread, or per warp, in shared memory, for other threads to read. */
final class TotalsRow {
  private final WindowKernel k;
  private final Cell first;
  private final Cell own;

  /**
   * Reserves a row of {@code length} reductions.
   *
   * @param index this thread's own place in the row
   */
  TotalsRow(WindowKernel kernel, int length, Register index) {
    this.k = kernel;
    Register values = k.sharedAddress(k.reserveShared(length * k.cellBytes));
    Register ownValue = k.sharedAddress(values, index, k.cellBytes);
    Register counts = k.math.counts() ? k.sharedAddress(k.reserveShared(length * 4)) : null;
    Register ownCount = k.math.counts() ? k.sharedAddress(counts, index, 4) : null;
    this.first = new Cell(values, counts); // addresses
    this.own = new Cell(ownValue, ownCount);
  }

  /** Writes the reduction {@code ahead} places after this thread's own. */
  void store(int ahead, Cell total) {
    k.store("st.shared", at(own.value(), ahead * k.cellBytes), List.of(total.value()));
    if (k.math.counts()) {
      k.store("st.shared", at(own.count(), ahead * 4), List.of(total.count()));
    }
  }

  /** Reads the reduction {@code ahead} places after this thread's own. */
  Cell load(int ahead) {
    return load(own, ahead);
  }

  /** Reads the reduction at {@code place}. */
  Cell loadAt(int place) {
    return load(first, place);
  }

  private Cell load(Cell from, int ahead) {
    Cell total = k.math.newCell();
    k.load("ld.shared", List.of(total.value()), at(from.value(), ahead * k.cellBytes));
    if (k.math.counts()) {
      k.load("ld.shared", List.of(total.count()), at(from.count(), ahead * 4));
    }
    return total;
  }
}
