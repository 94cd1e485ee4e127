/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;

/**
 * How much a run of a program has to do.
 *
 * @param operations the operations per cell and step
 * @param stages the stages of a step
 * @param fields the fields that are read or updated
 * @param updated the fields that are updated
 * @param type the type of the cells
 * @param cells the cells of one field
 * @param steps the number of steps
 * @param threads the threads of the host that a run may use
 */
public record ProgramWork(
    int operations,
    int stages,
    int fields,
    int updated,
    ElementType type,
    long cells,
    long steps,
    int threads) {
  /** Returns the work of one step of a program on one cell of type F64 by one thread. */
  public static ProgramWork of(ProgramTraits traits) {
    return new ProgramWork(
        traits.operations(),
        traits.stages().size(),
        traits.program().fields().size(),
        traits.program().updates().size(),
        ElementType.F64,
        1,
        1,
        1);
  }

  /** Returns the work of a run of the same program. */
  public ProgramWork of(ElementType newType, Extent extent, long newSteps, int newThreads) {
    return new ProgramWork(
        operations, stages, fields, updated, newType, extent.cells(), newSteps, newThreads);
  }
}
