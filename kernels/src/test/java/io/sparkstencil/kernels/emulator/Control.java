/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.Map;

/** Instructions that say where lanes go on: branches, returns, barriers. */
final class Control {
  private Control() {}

  /**
   * Returns the instruction, or null if it is none of these.
   *
   * @param labels the places in the kernel
   */
  static PtxInstruction of(Statement statement, Slots slots, Map<String, Integer> labels) {
    return switch (statement.opcode()) {
      case "bra", "bra.uni" -> new Branch(statement, slots, labels);
      case "ret" -> new Return(statement, slots);
      case "bar.warp.sync" -> new WarpBarrier(statement, slots);
      case "bar.sync" -> new BlockBarrier(statement, slots);
      default -> null;
    };
  }

  private static final class Branch extends PtxInstruction {
    private final int target;
    private final boolean uniform;

    Branch(Statement statement, Slots slots, Map<String, Integer> labels) {
      super(statement, slots);
      Integer place = labels.get(statement.operand(0));
      if (place == null) {
        throw statement.fault("has no such label");
      }
      target = place;
      uniform = statement.opcode().endsWith(".uni");
    }

    @Override
    void run(Warp warp, int lanes) {
      if (uniform && lanes != warp.lanes().active()) {
        throw new EmulatorFault(
            "lanes %08x of %08x branch".formatted(lanes, warp.lanes().active()));
      }
      warp.lanes().branch(lanes, target);
    }
  }

  private static final class Return extends PtxInstruction {
    Return(Statement statement, Slots slots) {
      super(statement, slots);
    }

    @Override
    void run(Warp warp, int lanes) {
      if (warp.lanes().end(lanes)) {
        warp.stop(Warp.Stop.RETURNED);
      }
    }
  }

  private static final class WarpBarrier extends PtxInstruction {
    private final int mask;

    WarpBarrier(Statement statement, Slots slots) {
      super(statement, slots);
      mask = (int) slots.bits(statement.operand(0));
    }

    @Override
    void run(Warp warp, int lanes) {
      if (warp.lanes().meet(mask)) {
        if (mask == Warp.ALL) {
          warp.lanes().together();
        }
        warp.block.shared().order(warp.number, mask);
      }
    }
  }

  /** {@code bar.sync}: a barrier by its number, of all threads or of a number of them. */
  static final class BlockBarrier extends PtxInstruction {
    private final Slot barrier;
    private final Slot threads; // or null: all of the block

    BlockBarrier(Statement statement, Slots slots) {
      super(statement, slots);
      barrier = slots.read(Kind.NARROW, statement.operand(0));
      threads =
          statement.operands().size() > 1 ? slots.read(Kind.NARROW, statement.operand(1)) : null;
    }

    @Override
    void run(Warp warp, int lanes) {
      int living = warp.lanes().living();
      if (lanes != living) {
        throw new EmulatorFault(
            "a barrier in divergent code: lanes %08x of %08x are there".formatted(lanes, living));
      }
      warp.lanes().together();
      int number = uniform(warp, barrier, lanes);
      int count = threads == null ? warp.block.threads() : uniform(warp, threads, lanes);
      warp.block.arrive(warp, number, count);
      warp.stop(Warp.Stop.BARRIER);
    }

    private static int uniform(Warp warp, Slot slot, int lanes) {
      warp.requireDefined(slot.id(), lanes, slot.text());
      int value = warp.narrow[slot.base() + Integer.numberOfTrailingZeros(lanes)];
      for (int i = 0; i < Slot.LANES; i++) {
        if (((lanes >>> i) & 1) != 0 && warp.narrow[slot.base() + i] != value) {
          throw EmulatorFault.of(i, "has another %s than the others".formatted(slot.text()));
        }
      }
      return value;
    }
  }
}
