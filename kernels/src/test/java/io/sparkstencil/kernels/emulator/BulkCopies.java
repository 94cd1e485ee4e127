/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.DeviceMemory.Allocation;
import io.sparkstencil.kernels.emulator.MemoryAccess.Place;
import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The barrier objects of a block that count arrivals and bytes, and the bulk copies that report to
 * them. A copy arrives as late as it may: when somebody tests the barrier. Until then nobody may
 * access where it goes.
 */
final class BulkCopies {
  private static final int WORD = Integer.BYTES;
  private static final int UNIT = 16;

  private final Map<Integer, Barrier> barriers = new HashMap<>();
  private long arrivals;

  /** A barrier object. */
  private static final class Barrier {
    private final int count;
    private int phase;
    private int arrived;
    private long expected;
    private long[] seen;
    private long[] seenBefore;
    private final List<Copy> started = new ArrayList<>();

    Barrier(int count, SharedMemory shared) {
      this.count = count;
      seen = shared.nothingSeen();
      seenBefore = seen;
    }

    void arrive(Warp warp, int lane, int bytes) {
      if (arrived == count) {
        throw EmulatorFault.of(lane, "arrives at a barrier object that expects nobody more");
      }
      arrived++;
      expected += bytes;
      warp.block.shared().release(warp.number, seen);
      endPhase(warp.block.shared());
    }

    void endPhase(SharedMemory shared) {
      if (arrived == count && expected == 0) {
        phase++;
        arrived = 0;
        seenBefore = seen;
        seen = shared.nothingSeen();
      }
    }
  }

  /** Bytes on their way, which one lane has sent. */
  private record Copy(Warp warp, int lane, int to, long from, int bytes) {}

  /** Returns the instruction, or null if it is none of these. */
  static PtxInstruction of(Statement statement, Slots slots) {
    return switch (statement.opcode()) {
      case "mbarrier.init.shared::cta.b64" -> new Init(statement, slots);
      case "fence.proxy.async.shared::cta" -> new Fence(statement, slots);
      case "mbarrier.arrive.expect_tx.shared::cta.b64" ->
          new Arrive(statement, slots, (int) slots.bits(statement.operand(2)));
      case "mbarrier.arrive.shared::cta.b64" -> new Arrive(statement, slots, 0);
      case "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" ->
          new Start(statement, slots);
      case "mbarrier.try_wait.parity.shared::cta.b64" -> new Try(statement, slots);
      default -> null;
    };
  }

  /** Forgets the barriers of the block before. */
  void clear() {
    barriers.clear();
  }

  /** Returns how often somebody has arrived at a barrier object. */
  long arrivals() {
    return arrivals;
  }

  private static Barrier require(Warp warp, int lane, int address) {
    Barrier barrier = warp.block.bulk().barriers.get(address);
    if (barrier == null) {
      throw EmulatorFault.of(lane, "there is no barrier object at %d".formatted(address));
    }
    warp.block.shared().requireOrdered(warp.number, lane, address);
    return barrier;
  }

  private static void arrive(Copy copy) {
    SharedMemory shared = copy.warp.block.shared();
    DeviceMemory memory = copy.warp.block.memory();
    Allocation source = memory.access(copy.lane, copy.from, WORD);
    for (int i = 0; i < copy.bytes; i += WORD) {
      boolean known = memory.read(source, copy.lane, copy.from + i);
      int value = DeviceMemory.int32(source, copy.from + i);
      shared.endCopy(copy.warp.number, copy.lane, copy.to + i, value, known);
    }
  }

  /** An instruction of one lane at a time, one place of which is in shared memory. */
  private abstract static class Single extends PtxInstruction {
    private final Place place;

    Single(Statement statement, Slots slots, int operand) {
      super(statement, slots);
      place = Place.of(statement.operand(operand), slots, Kind.NARROW);
    }

    @Override
    void run(Warp warp, int lanes) {
      warp.requireDefined(place.base().id(), lanes, place.base().text());
      for (int left = lanes; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        run(warp, lane, warp.narrow[place.base().base() + lane] + place.offset());
      }
    }

    abstract void run(Warp warp, int lane, int address);
  }

  private static final class Init extends Single {
    private final int count;

    Init(Statement statement, Slots slots) {
      super(statement, slots, 0);
      count = (int) slots.bits(statement.operand(1));
    }

    @Override
    void run(Warp warp, int lane, int address) {
      SharedMemory shared = warp.block.shared();
      shared.access(lane, address, Long.BYTES);
      shared.write(warp.number, lane, address, false, false);
      shared.write(warp.number, lane, address + WORD, false, false);
      warp.block.bulk().barriers.put(address, new Barrier(count, shared));
    }
  }

  /** Makes barrier objects visible to the copy engine: here they are at once. */
  private static final class Fence extends PtxInstruction {
    Fence(Statement statement, Slots slots) {
      super(statement, slots);
    }

    @Override
    void run(Warp warp, int lanes) {}
  }

  private static final class Arrive extends Single {
    private final int bytes;

    Arrive(Statement statement, Slots slots, int bytes) {
      super(statement, slots, 1);
      this.bytes = bytes;
    }

    @Override
    void run(Warp warp, int lane, int address) {
      require(warp, lane, address).arrive(warp, lane, bytes);
      warp.block.bulk().arrivals++;
    }
  }

  private static final class Start extends Single {
    private final Place from;
    private final Place barrierAt;
    private final int bytes;

    Start(Statement statement, Slots slots) {
      super(statement, slots, 0);
      from = Place.of(statement.operand(1), slots, Kind.WIDE);
      bytes = (int) slots.bits(statement.operand(2));
      barrierAt = Place.of(statement.operand(3), slots, Kind.NARROW);
    }

    @Override
    void run(Warp warp, int lane, int to) {
      warp.requireDefined(from.base().id(), 1 << lane, from.base().text());
      long source = warp.wide[from.base().base() + lane] + from.offset();
      int at = warp.narrow[barrierAt.base().base() + lane] + barrierAt.offset();
      Barrier barrier = require(warp, lane, at);
      for (int i = 0; i < bytes; i += UNIT) { // which also requires whole units
        warp.block.shared().access(lane, to + i, UNIT);
        warp.block.memory().access(lane, source + i, UNIT);
      }
      for (int i = 0; i < bytes; i += WORD) {
        warp.block.shared().startCopy(warp.number, lane, to + i);
      }
      barrier.started.add(new Copy(warp, lane, to, source, bytes));
    }
  }

  /** Tests whether the phase of a barrier object with a parity has ended; if not, others go on. */
  private static final class Try extends Single {
    private final Slot result;
    private final Slot parity;

    Try(Statement statement, Slots slots) {
      super(statement, slots, 1);
      result = slots.read(Kind.PREDICATE, statement.operand(0));
      parity = slots.read(Kind.NARROW, statement.operand(2));
    }

    @Override
    void run(Warp warp, int lanes) {
      if (lanes != warp.lanes().living()) {
        throw EmulatorFault.of(
            Integer.numberOfTrailingZeros(lanes),
            "waits at a barrier object without others of its warp: what they see is unknown");
      }
      super.run(warp, lanes);
    }

    @Override
    void run(Warp warp, int lane, int address) {
      Barrier barrier = require(warp, lane, address);
      for (Copy copy : barrier.started) {
        arrive(copy);
        barrier.expected -= copy.bytes;
      }
      barrier.started.clear();
      barrier.endPhase(warp.block.shared());
      warp.requireDefined(parity.id(), 1 << lane, parity.text());
      boolean complete = (barrier.phase & 1) != (warp.narrow[parity.base() + lane] & 1);
      if (complete) {
        warp.block.shared().acquire(warp.number, barrier.seenBefore);
      } else {
        warp.block.tryLater(warp);
      }
      warp.setPredicate(result, complete ? -1 : 0, 0, 1 << lane);
    }
  }
}
