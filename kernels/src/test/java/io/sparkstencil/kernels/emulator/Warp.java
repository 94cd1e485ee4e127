/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static io.sparkstencil.kernels.emulator.Slot.LANES;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.Arrays;

/**
 * 32 threads that run together: their registers, and where in the kernel they are. Lanes that went
 * different ways wait for each other by the order of the text: those furthest behind run first, so
 * that ways that join again meet.
 */
final class Warp {
  /** The bits of all lanes. */
  static final int ALL = -1;

  /** Why a warp stopped. */
  enum Stop {
    /** All lanes wait at a barrier of the block. */
    BARRIER,
    /** All lanes have returned. */
    RETURNED
  }

  final Block block;
  final int number;
  final int[] narrow;
  final long[] wide;
  final int[] predicates;

  /** The lanes in which a slot holds nothing known, a bit each, by the slot's id. */
  final int[] undefined;

  final AsyncCopies copies = new AsyncCopies(this);
  final LocalMemory local;

  private final PtxKernel kernel;
  private final WarpDivergence lanes = new WarpDivergence();
  private int[] undefinedAtFirst;
  private long instructions;
  private Stop stop;

  Warp(Block block, int number) {
    this.block = block;
    this.number = number;
    kernel = block.kernel();
    local = new LocalMemory(kernel.localBytes());
    Slots slots = kernel.slots();
    narrow = new int[slots.count(Kind.NARROW) * LANES];
    wide = new long[slots.count(Kind.WIDE) * LANES];
    predicates = new int[slots.count(Kind.PREDICATE)];
    undefined = new int[slots.all()];
    undefinedAtFirst = new int[slots.all()];
    slots.declared().forEach(slot -> undefinedAtFirst[slot.id()] = ALL);
    slots.constants().forEach(constant -> fill(constant.slot(), constant.bits()));
  }

  private void fill(Slot slot, long bits) {
    if (slot.kind() == Kind.WIDE) {
      Arrays.fill(wide, slot.base(), slot.base() + LANES, bits);
    } else if (slot.kind() == Kind.NARROW) {
      Arrays.fill(narrow, slot.base(), slot.base() + LANES, (int) bits);
    } else {
      predicates[slot.index()] = bits == 0 ? 0 : ALL;
    }
  }

  /**
   * Starts the threads of a block.
   *
   * @param special what the special registers of the block hold, in the order of {@link
   *     Slots#SPECIAL}
   */
  void start(int... special) {
    System.arraycopy(undefinedAtFirst, 0, undefined, 0, undefined.length);
    for (int i = 0; i < special.length; i++) {
      fill(kernel.slots().register(Slots.SPECIAL.get(i)), special[i]);
    }
    int threads = kernel.slots().register("%tid.x").base();
    int laneIds = kernel.slots().register("%laneid").base();
    for (int lane = 0; lane < LANES; lane++) {
      narrow[threads + lane] = number * LANES + lane;
      narrow[laneIds + lane] = lane;
    }
    int there = block.threads() - number * LANES;
    lanes.start(there >= LANES ? ALL : (1 << there) - 1);
    copies.clear();
    local.clear();
    instructions = 0;
    stop = null;
  }

  /** Runs until all lanes wait for other warps, or have returned. */
  Stop run() {
    PtxInstruction[] code = kernel.code();
    PtxInstruction next = null;
    stop = null;
    try {
      while (true) {
        next = code[lanes.pc()];
        int active = next.lanes(this, lanes.active());
        lanes.step();
        if (active != 0) {
          next.run(this, active);
          if (stop != null) {
            return stop;
          }
        }
        lanes.reconverge();
        if (++instructions > block.limit()) {
          throw new EmulatorFault(
              "has run %d instructions: a loop without an end?".formatted(block.limit()));
        }
      }
    } catch (EmulatorFault fault) {
      throw fault.at(place(next));
    }
  }

  private String place(PtxInstruction at) {
    return "%s, block (%d,%d), warp %d, line %d, \"%s\""
        .formatted(
            kernel.name(),
            block.x(),
            block.y(),
            number,
            at.statement().line(),
            at.statement().text());
  }

  WarpDivergence lanes() {
    return lanes;
  }

  /** Leaves {@link #run} behind the instruction that is running. */
  void stop(Stop why) {
    stop = why;
  }

  long instructions() {
    return instructions;
  }

  /** Returns the instruction after which the warp stopped. */
  Statement lastStatement() {
    return kernel.code()[lanes.pc() - 1].statement();
  }

  /** Copies some lanes of a register. */
  void blend(Slot to, Slot from, int which) {
    if (to.isWide()) {
      blend(wide, to.base(), from.base(), which);
    } else {
      blend(narrow, to.base(), from.base(), which);
    }
  }

  private static void blend(int[] bits, int to, int from, int which) {
    if (which == ALL) {
      System.arraycopy(bits, from, bits, to, LANES);
      return;
    }
    for (int left = which; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      bits[to + lane] = bits[from + lane];
    }
  }

  private static void blend(long[] bits, int to, int from, int which) {
    if (which == ALL) {
      System.arraycopy(bits, from, bits, to, LANES);
      return;
    }
    for (int left = which; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      bits[to + lane] = bits[from + lane];
    }
  }

  void setPredicate(Slot to, int holds, int unknown, int which) {
    predicates[to.index()] = (predicates[to.index()] & ~which) | (holds & which);
    setUndefined(to, unknown, which);
  }

  void setUndefined(Slot to, int unknown, int which) {
    undefined[to.id()] = (undefined[to.id()] & ~which) | (unknown & which);
  }

  /** Requires that what decides or leaves the warp does not depend on what nobody has written. */
  void requireDefined(int id, int which, String name) {
    int unknown = undefined[id] & which;
    if (unknown != 0) {
      throw EmulatorFault.of(
          Integer.numberOfTrailingZeros(unknown),
          "reads %s, which depends on what has not been written".formatted(name));
    }
  }
}
