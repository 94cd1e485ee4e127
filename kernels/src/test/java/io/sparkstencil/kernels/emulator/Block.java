/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.cuda.LaunchShape;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The threads of one block after the other, and what they share. */
final class Block {
  private static final int BARRIERS = 16;

  private final PtxKernel kernel;
  private final LaunchShape shape;
  private final DeviceMemory memory;
  private final SharedMemory shared;
  private final long[] arguments;
  private final long limit;
  private final List<Warp> warps = new ArrayList<>();
  private final BulkCopies bulk = new BulkCopies();
  private final Barrier[] barriers = new Barrier[BARRIERS];

  /** The warps that wait for a barrier object. */
  private final Set<Warp> trying = new LinkedHashSet<>();

  private int x;
  private int y;

  /** The warps that wait at a barrier. */
  private static final class Barrier {
    private final List<Warp> there = new ArrayList<>();
    private int threads;
    private int expected;
  }

  /**
   * Prepares the blocks of a launch.
   *
   * @param limit the most instructions of a warp
   */
  Block(PtxKernel kernel, LaunchShape shape, DeviceMemory memory, long limit, long... arguments) {
    this.kernel = kernel;
    this.shape = shape;
    this.memory = memory;
    this.limit = limit;
    this.arguments = arguments;
    int count = (shape.threads() + Slot.LANES - 1) / Slot.LANES;
    shared = new SharedMemory(kernel.sharedBytes() + shape.dynamicSharedBytes(), count);
    for (int w = 0; w < count; w++) {
      warps.add(new Warp(this, w));
    }
    for (int i = 0; i < BARRIERS; i++) {
      barriers[i] = new Barrier();
    }
  }

  /** Runs the block with a number in its grid; returns the instructions of all warps. */
  long run(int blockX, int blockY) {
    x = blockX;
    y = blockY;
    shared.start();
    memory.startBlock();
    bulk.clear();
    for (Warp warp : warps) {
      warp.start(0, shape.threads(), x, y, shape.blocks(), shape.blocksY());
    }
    List<Warp> ready = new ArrayList<>(warps);
    trying.clear();
    int living = warps.size();
    while (!ready.isEmpty()) {
      long before = bulk.arrivals();
      boolean goesOn = false;
      for (Warp warp : ready) {
        if (warp.run() == Warp.Stop.RETURNED) {
          living--;
        }
        goesOn |= !trying.contains(warp);
      }
      ready = pass();
      if (goesOn || bulk.arrivals() > before) {
        ready.addAll(trying);
        trying.clear();
      }
    }
    if (living > 0) {
      throw stuck();
    }
    return warps.stream().mapToLong(Warp::instructions).sum();
  }

  /** Lets the warps go on whose barriers are complete. */
  private List<Warp> pass() {
    List<Warp> passing = new ArrayList<>();
    for (Barrier barrier : barriers) {
      if (!barrier.there.isEmpty() && barrier.threads == barrier.expected) {
        shared.order(barrier.there);
        passing.addAll(barrier.there);
        barrier.there.clear();
        barrier.threads = 0;
      }
    }
    return passing;
  }

  /** Stops a warp, which goes on when others have done so. */
  void tryLater(Warp warp) {
    trying.add(warp);
    warp.stop(Warp.Stop.BARRIER);
  }

  /** Takes a warp to a barrier. */
  void arrive(Warp warp, int number, int expected) {
    if (number < 0 || number >= BARRIERS || (expected % Slot.LANES != 0 && expected != threads())) {
      throw new EmulatorFault("there is no barrier %d of %d threads".formatted(number, expected));
    }
    Barrier barrier = barriers[number];
    if (!barrier.there.isEmpty() && barrier.expected != expected) {
      throw new EmulatorFault(
          "waits for %d threads at barrier %d, but others wait for %d"
              .formatted(expected, number, barrier.expected));
    }
    barrier.there.add(warp);
    barrier.threads += Integer.bitCount(warp.lanes().living());
    barrier.expected = expected;
    if (barrier.threads > expected) {
      throw new EmulatorFault(
          "%d threads at barrier %d of %d".formatted(barrier.threads, number, expected));
    }
  }

  private EmulatorFault stuck() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < BARRIERS; i++) {
      for (Warp warp : barriers[i].there) {
        text.append(
            "; warp %d waits at barrier %d with %d of %d threads, line %d"
                .formatted(
                    warp.number,
                    i,
                    barriers[i].threads,
                    barriers[i].expected,
                    warp.lastStatement().line()));
      }
    }
    for (Warp warp : trying) {
      text.append(
          "; warp %d waits at a barrier object, line %d"
              .formatted(warp.number, warp.lastStatement().line()));
    }
    return new EmulatorFault(
        "%s, block (%d,%d): a barrier that not all threads reach%s"
            .formatted(kernel.name(), x, y, text));
  }

  PtxKernel kernel() {
    return kernel;
  }

  int threads() {
    return shape.threads();
  }

  long limit() {
    return limit;
  }

  int x() {
    return x;
  }

  int y() {
    return y;
  }

  BulkCopies bulk() {
    return bulk;
  }

  SharedMemory shared() {
    return shared;
  }

  DeviceMemory memory() {
    return memory;
  }

  long argument(int index) {
    return arguments[index];
  }
}
