/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.DeviceMemory.Allocation;
import io.sparkstencil.kernels.emulator.MemoryAccess.Place;
import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The copies from global to shared memory that a warp has started. Their bytes arrive as late as
 * they may: when the warp waits for them. Until then nobody may access where they go.
 */
final class AsyncCopies {
  private static final int WORD = Integer.BYTES;

  private final Warp warp;
  private final Deque<Copy> started = new ArrayDeque<>();
  private int group;

  /** What one lane copies. */
  private static final class Copy {
    private final int group;
    private final int lane;
    private final int to;
    private final int[] words;
    private final boolean[] known;

    Copy(int group, int lane, int to, int count) {
      this.group = group;
      this.lane = lane;
      this.to = to;
      words = new int[count];
      known = new boolean[count];
    }
  }

  AsyncCopies(Warp warp) {
    this.warp = warp;
  }

  /** Returns the instruction, or null if it is none of these. */
  static PtxInstruction of(Statement statement, Slots slots) {
    return switch (statement.opcode()) {
      case "cp.async.ca.shared.global",
          "cp.async.cg.shared.global",
          "cp.async.cg.shared.global.L2::cache_hint" ->
          new Start(statement, slots);
      case "cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all" ->
          new Wait(statement, slots);
      default -> null;
    };
  }

  /** Forgets the copies of the block before, for which nobody has waited. */
  void clear() {
    for (Copy copy : started) {
      for (int i = 0; i < copy.words.length; i++) {
        warp.block.shared().forget(copy.to + i * WORD);
      }
    }
    started.clear();
    group = 0;
  }

  private void start(int lane, int to, long from, int size) {
    SharedMemory shared = warp.block.shared();
    DeviceMemory memory = warp.block.memory();
    shared.access(lane, to, size);
    Allocation source = memory.access(lane, from, size);
    Copy copy = new Copy(group, lane, to, size / WORD);
    for (int i = 0; i < copy.words.length; i++) {
      int at = to + i * WORD;
      copy.known[i] = memory.read(source, lane, from + (long) i * WORD);
      copy.words[i] = DeviceMemory.int32(source, from + (long) i * WORD);
      shared.startCopy(warp.number, lane, at);
    }
    started.add(copy);
  }

  /** Lets copies arrive, all but those of the latest groups. */
  private void await(int latest) {
    SharedMemory shared = warp.block.shared();
    while (!started.isEmpty() && started.peek().group < group - latest) {
      Copy copy = started.remove();
      for (int i = 0; i < copy.words.length; i++) {
        int at = copy.to + i * WORD;
        shared.endCopy(warp.number, copy.lane, at, copy.words[i], copy.known[i]);
      }
    }
  }

  private static final class Start extends PtxInstruction {
    private final Place to;
    private final Place from;
    private final int size;

    Start(Statement statement, Slots slots) {
      super(statement, slots);
      to = Place.of(statement.operand(0), slots, Kind.NARROW);
      from = Place.of(statement.operand(1), slots, Kind.WIDE);
      size = (int) slots.bits(statement.operand(2));
      boolean smaller = statement.opcode().startsWith("cp.async.ca") && (size == 4 || size == 8);
      if (size != 16 && !smaller) {
        throw statement.fault("copies %d bytes, which it cannot".formatted(size));
      }
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(to.base().id(), lanes, to.base().text());
      warp.requireDefined(from.base().id(), lanes, from.base().text());
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        int target = warp.narrow[to.base().base() + lane] + to.offset();
        long source = warp.wide[from.base().base() + lane] + from.offset();
        warp.copies.start(lane, target, source, size);
      }
    }
  }

  /** Ends a group of copies, or waits for groups. */
  private static final class Wait extends PtxInstruction {
    private final boolean commits;
    private final int latest;

    Wait(Statement statement, Slots slots) {
      super(statement, slots);
      commits = statement.opcode().endsWith("commit_group");
      boolean all = statement.opcode().endsWith("wait_all");
      latest = commits || all ? 0 : (int) slots.bits(statement.operand(0));
    }

    @Override
    void run(Warp warp, int lanes) {
      if (lanes != warp.lanes().living()) {
        throw new EmulatorFault(
            "lanes %08x of %08x: groups of copies that differ within a warp are unknown to the emulator"
                .formatted(lanes, warp.lanes().living()));
      }
      if (commits || statement().opcode().endsWith("wait_all")) {
        warp.copies.group++;
      }
      if (!commits) {
        warp.copies.await(latest);
      }
    }
  }
}
