/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/** Instructions on cells of one type. */
interface Chunks {
  /**
   * The cells of a run that are computed at a time: their temporaries stay in the nearest cache.
   */
  int CELLS = 1024;

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
      Instruction.Kind kind,
      Object[] sources,
      int[] from,
      double[] weights,
      Object target,
      int to,
      int n);
}
