/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Register;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/**
 * A cell, or what became of several, in registers.
 *
 * @param value the value; neutral where nothing counted
 * @param count how many cells counted, or null in a kernel without nulls
 */
public record Cell(Register value, Register count) {
  /** Returns the cells of values and their counts, which are null in a kernel without nulls. */
  public static List<Cell> of(List<Register> values, List<Register> counts) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> new Cell(values.get(i), counts == null ? null : counts.get(i)))
        .toList();
  }

  /** Returns the values of {@code cells}. */
  public static List<Register> values(List<Cell> cells) {
    return cells.stream().map(Cell::value).toList();
  }

  /** Returns the counts of {@code cells}. */
  public static List<Register> counts(List<Cell> cells) {
    return cells.stream().map(Cell::count).toList();
  }

  /** Returns what {@code join} makes of the values of two cells, and of their counts. */
  public Cell with(Cell other, BinaryOperator<Register> join) {
    return new Cell(
        join.apply(value, other.value), count == null ? null : join.apply(count, other.count));
  }
}
