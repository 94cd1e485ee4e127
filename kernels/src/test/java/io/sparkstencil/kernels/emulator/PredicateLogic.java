/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;

/** An instruction that computes a predicate from others: a bit for each lane, all at once. */
final class PredicateLogic extends PtxInstruction {
  private final String operation;
  private final Slot result;
  private final Slot a; // or null: a constant
  private final Slot b; // or null
  private final int constant;

  private PredicateLogic(Statement statement, Slots slots) {
    super(statement, slots);
    operation = statement.opcode();
    result = slots.read(Kind.PREDICATE, statement.operand(0));
    boolean isRegister = statement.operand(1).startsWith("%");
    a = isRegister ? slots.read(Kind.PREDICATE, statement.operand(1)) : null;
    constant = isRegister || slots.bits(statement.operand(1)) == 0 ? 0 : Warp.ALL;
    b = statement.operands().size() > 2 ? slots.read(Kind.PREDICATE, statement.operand(2)) : null;
  }

  /** Returns the instruction, or null if it is none of these. */
  static PtxInstruction of(Statement statement, Slots slots) {
    return switch (statement.opcode()) {
      case "and.pred", "or.pred", "xor.pred", "not.pred", "mov.pred" ->
          new PredicateLogic(statement, slots);
      default -> null;
    };
  }

  @Override
  void run(Warp warp, int lanes) {
    int x = a == null ? constant : warp.predicates[a.index()];
    int unknownX = a == null ? 0 : warp.undefined[a.id()];
    int y = b == null ? 0 : warp.predicates[b.index()];
    int unknownY = b == null ? 0 : warp.undefined[b.id()];
    int value;
    int decided = 0;
    switch (operation) {
      case "and.pred" -> {
        value = x & y;
        decided = (~x & ~unknownX) | (~y & ~unknownY);
      }
      case "or.pred" -> {
        value = x | y;
        decided = (x & ~unknownX) | (y & ~unknownY);
      }
      case "xor.pred" -> value = x ^ y;
      case "not.pred" -> value = ~x;
      default -> value = x;
    }
    warp.setPredicate(result, value, (unknownX | unknownY) & ~decided, lanes);
  }
}
