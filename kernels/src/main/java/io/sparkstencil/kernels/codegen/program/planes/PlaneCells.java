/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.ptx.Operand;

/** Finds the cells that the operations of a thread read. */
interface PlaneCells {
  /** Forgets the cells that were read: behind a barrier, they are read again. */
  void startPhase();

  /** Returns a cell, relative to this thread's first row and column. */
  Operand cell(Source source, int age, int row, int column);
}
