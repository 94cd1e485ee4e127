/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;

/** An instruction that a warp can run. */
abstract class PtxInstruction {
  private static final int EVERYWHERE = -1;

  private final Statement statement;
  private final int guard;
  private final int guardId;

  /** All ones where the instruction runs if its guard does not hold. */
  private final int flip;

  PtxInstruction(Statement statement, Slots slots) {
    this.statement = statement;
    Slot slot = statement.guard() == null ? null : slots.read(Kind.PREDICATE, statement.guard());
    guard = slot == null ? EVERYWHERE : slot.index();
    guardId = slot == null ? 0 : slot.id();
    flip = statement.unless() ? -1 : 0;
  }

  Statement statement() {
    return statement;
  }

  final boolean isGuarded() {
    return guard != EVERYWHERE;
  }

  /** Returns those of some lanes in which the guard lets the instruction run. */
  final int lanes(Warp warp, int active) {
    if (guard == EVERYWHERE) {
      return active;
    }
    warp.requireDefined(guardId, active, statement.guard());
    return active & (warp.predicates[guard] ^ flip);
  }

  /**
   * Runs the instruction.
   *
   * @param lanes in which it runs, a bit each; some
   */
  abstract void run(Warp warp, int lanes);
}
