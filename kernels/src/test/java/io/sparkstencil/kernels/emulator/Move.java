/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.List;

/** Instructions that move bits between registers of a lane: {@code mov}, {@code selp}. */
final class Move extends PtxInstruction {
  private final Slot result;
  private final Slot source;

  private Move(Statement statement, Slots slots, Kind kind) {
    super(statement, slots);
    result = slots.register(statement.operand(0));
    source = slots.read(kind, statement.operand(1));
    if (result.kind() != kind) {
      throw statement.fault("writes a register of another kind");
    }
  }

  /** Returns the instruction, or null if it is none of these. */
  static PtxInstruction of(Statement statement, Slots slots) {
    if (statement.opcode().startsWith("createpolicy.")) {
      return new Clock(statement, slots); // what it holds is a hint, and without effect
    }
    if (statement.operands().size() == 2 && statement.operand(1).equals("%clock64")) {
      return new Clock(statement, slots);
    }
    return switch (statement.opcode()) {
      case "mov.b32", "mov.u32", "mov.s32", "mov.f32" -> new Move(statement, slots, Kind.NARROW);
      case "cvta.to.global.u64", "mov.u64", "mov.s64", "mov.f64" ->
          new Move(statement, slots, Kind.WIDE);
      case "mov.b64" ->
          statement.operand(0).startsWith("{")
              ? new Halves(statement, slots, true)
              : statement.operand(1).startsWith("{")
                  ? new Halves(statement, slots, false)
                  : new Move(statement, slots, Kind.WIDE);
      case "selp.b32", "selp.u32", "selp.s32", "selp.f32" ->
          new Choice(statement, slots, Kind.NARROW);
      case "selp.b64", "selp.u64", "selp.s64", "selp.f64" ->
          new Choice(statement, slots, Kind.WIDE);
      default -> null;
    };
  }

  @Override
  void run(Warp warp, int lanes) {
    warp.blend(result, source, lanes);
    warp.setUndefined(result, warp.undefined[source.id()], lanes);
  }

  /** Reads a clock that ticks with each instruction of the warp. */
  private static final class Clock extends PtxInstruction {
    private final Slot result;

    Clock(Statement statement, Slots slots) {
      super(statement, slots);
      result = slots.read(Kind.WIDE, statement.operand(0));
    }

    @Override
    void run(Warp warp, int lanes) {
      for (int left = lanes; left != 0; left &= left - 1) {
        warp.wide[result.base() + Integer.numberOfTrailingZeros(left)] = warp.instructions();
      }
      warp.setUndefined(result, 0, lanes);
    }
  }

  /** Takes a wide register apart, or puts one together. */
  private static final class Halves extends PtxInstruction {
    private final boolean splits;
    private final Slot whole;
    private final Slot low;
    private final Slot high;

    Halves(Statement statement, Slots slots, boolean splits) {
      super(statement, slots);
      this.splits = splits;
      List<String> halves = Statement.vector(statement.operand(splits ? 0 : 1));
      whole = slots.read(Kind.WIDE, statement.operand(splits ? 1 : 0));
      low = slots.read(Kind.NARROW, halves.get(0));
      high = slots.read(Kind.NARROW, halves.get(1));
    }

    @Override
    void run(Warp warp, int lanes) {
      int[] narrow = warp.narrow;
      long[] wide = warp.wide;
      for (int i = 0; i < Slot.LANES; i++) {
        if (((lanes >>> i) & 1) == 0) {
          continue;
        }
        if (splits) {
          long value = wide[whole.base() + i];
          narrow[low.base() + i] = (int) value;
          narrow[high.base() + i] = (int) (value >>> 32);
        } else {
          wide[whole.base() + i] =
              (narrow[low.base() + i] & 0xFFFF_FFFFL) | ((long) narrow[high.base() + i] << 32);
        }
      }
      int[] undefined = warp.undefined;
      if (splits) {
        warp.setUndefined(low, undefined[whole.id()], lanes);
        warp.setUndefined(high, undefined[whole.id()], lanes);
      } else {
        warp.setUndefined(whole, undefined[low.id()] | undefined[high.id()], lanes);
      }
    }
  }

  /** Chooses between two registers by a predicate. */
  private static final class Choice extends PtxInstruction {
    private final Slot result;
    private final Slot scratch;
    private final Slot ifTrue;
    private final Slot ifFalse;
    private final Slot predicate;

    Choice(Statement statement, Slots slots, Kind kind) {
      super(statement, slots);
      result = slots.read(kind, statement.operand(0));
      scratch = slots.scratch(kind);
      ifTrue = slots.read(kind, statement.operand(1));
      ifFalse = slots.read(kind, statement.operand(2));
      predicate = slots.read(Kind.PREDICATE, statement.operand(3));
    }

    @Override
    void run(Warp warp, int lanes) {
      int holds = warp.predicates[predicate.index()];
      int[] undefined = warp.undefined;
      int unknown =
          undefined[predicate.id()]
              | (undefined[ifTrue.id()] & holds)
              | (undefined[ifFalse.id()] & ~holds);
      warp.blend(scratch, ifFalse, Warp.ALL);
      warp.blend(scratch, ifTrue, holds);
      warp.blend(result, scratch, lanes);
      warp.setUndefined(result, unknown, lanes);
    }
  }
}
