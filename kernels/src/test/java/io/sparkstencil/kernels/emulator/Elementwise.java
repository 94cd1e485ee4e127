/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;

/** An instruction that computes a register of each lane from other registers of that lane. */
final class Elementwise extends PtxInstruction {
  /** What is computed, for all lanes of a warp. */
  @FunctionalInterface
  interface Lanes {
    /** Computes the result at {@code d} from the operands at {@code a}, {@code b}, {@code c}. */
    void compute(int[] narrow, long[] wide, int d, int a, int b, int c);
  }

  /**
   * An operation.
   *
   * @param operands the kinds of the result and of the operands: n for narrow, w for wide
   */
  record Operation(String operands, Lanes lanes) {}

  private final Lanes operation;
  private final Slot result;
  private final Slot scratch;
  private final Slot a;
  private final Slot b;
  private final Slot c;

  private Elementwise(Statement statement, Slots slots, Operation operation) {
    super(statement, slots);
    this.operation = operation.lanes();
    String kinds = operation.operands();
    if (statement.operands().size() != kinds.length()) {
      throw statement.fault("has other operands than are known");
    }
    result = slots.register(statement.operand(0));
    if (result.kind() != kind(kinds.charAt(0))) {
      throw statement.fault("writes a register of another kind");
    }
    scratch = slots.scratch(result.kind());
    a = operand(slots, kinds, 1);
    b = operand(slots, kinds, 2);
    c = operand(slots, kinds, 3);
  }

  /** Returns the instruction, or null if its opcode is no such operation. */
  static PtxInstruction of(Statement statement, Slots slots) {
    Operation operation = Arithmetic.OPERATIONS.get(statement.opcode());
    return operation == null ? null : new Elementwise(statement, slots, operation);
  }

  private static Kind kind(char letter) {
    return letter == 'w' ? Kind.WIDE : Kind.NARROW;
  }

  private Slot operand(Slots slots, String kinds, int index) {
    return index < kinds.length()
        ? slots.read(kind(kinds.charAt(index)), statement().operand(index))
        : slots.none();
  }

  @Override
  void run(Warp warp, int lanes) {
    boolean all = lanes == Warp.ALL;
    int target = all ? result.base() : scratch.base();
    operation.compute(warp.narrow, warp.wide, target, a.base(), b.base(), c.base());
    int[] undefined = warp.undefined;
    int unknown = undefined[a.id()] | undefined[b.id()] | undefined[c.id()];
    if (all) {
      undefined[result.id()] = unknown;
    } else {
      warp.blend(result, scratch, lanes);
      undefined[result.id()] = (undefined[result.id()] & ~lanes) | (unknown & lanes);
    }
  }
}
