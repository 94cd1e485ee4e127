/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.ptx.Register;
import java.util.List;
import java.util.function.BiFunction;

/** Where the rows of a tile come from, one after the other. */
interface TileRows {
  /** Starts to read the first rows, before the loop. */
  default void begin() {}

  /** Begins a turn of the loop. */
  default void turn() {}

  /** Ends a turn of the loop. */
  default void turned() {}

  /**
   * Reads a row into registers, and starts to read one further on.
   *
   * @param targets the register of a lane's cell, by the index of the field among the inputs and by
   *     the index of the cell among the lane's
   */
  void next(BiFunction<Integer, Integer, Register> targets);

  /** Returns {@code count} registers from the {@code first}. */
  static List<Register> some(
      BiFunction<Integer, Integer, Register> targets, int input, int first, int count) {
    return java.util.stream.IntStream.range(first, first + count)
        .mapToObj(c -> targets.apply(input, c))
        .toList();
  }
}
