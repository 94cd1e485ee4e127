/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/**
 * A cell, or what became of several, in registers.
 *
 * @param value the value; neutral where nothing counted
 * @param count how many cells counted, or null in a kernel without nulls
 */
public record Cell(Register value, Register count) {
  /** Returns the values of {@code cells}. */
  public static List<Register> values(List<Cell> cells) {
    return cells.stream().map(Cell::value).toList();
  }

  /** Returns the counts of {@code cells}. */
  public static List<Register> counts(List<Cell> cells) {
    return cells.stream().map(Cell::count).toList();
  }
}
