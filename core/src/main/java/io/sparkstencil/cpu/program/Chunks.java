/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.ElementType;

/** Instructions on cells of one type. */
interface Chunks {
  /**
   * The cells of a run that are computed at a time: their temporaries stay in the nearest cache.
   */
  int CELLS = 1024;

  /** The cells beyond the last one that may be read and written, for the sake of whole vectors. */
  int SLACK = 16;

  /** Returns the instructions on cells of a type. */
  static Chunks of(ElementType type, boolean vectors) {
    boolean floats = type == ElementType.F32;
    if (vectors) {
      return floats ? new VectorF32Chunks() : new VectorF64Chunks();
    }
    return floats ? new LoopF32Chunks() : new LoopF64Chunks();
  }

  /**
   * Computes an instruction on consecutive cells.
   *
   * @param sources one array per operand
   * @param from the index of the first cell in each
   * @param weights one weight per source of a sum, rounded to the type of the cells
   * @param target the array of the results, which may be one of the sources at the same index
   * @param to the index of the first result
   * @param n the number of cells
   */
  void run(
      Instruction.Opcode kind,
      Object[] sources,
      int[] from,
      double[] weights,
      Object target,
      int to,
      int n);
}
