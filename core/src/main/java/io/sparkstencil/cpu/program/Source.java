/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import java.util.List;

/** What an instruction reads: one number per cell of a run. */
sealed interface Source {
  /** Cells at a distance from those of the run. */
  record Cells(int field, boolean updated, List<Integer> offset) implements Source {}

  /** Positions along an axis. */
  record Positions(int axis) implements Source {}

  /** Results of an earlier instruction of the same run. */
  record Temporary(int index) implements Source {}

  /** The same number for each cell; an index of {@link ProgramCode#scalars}. */
  record Broadcast(int scalar) implements Source {}
}
