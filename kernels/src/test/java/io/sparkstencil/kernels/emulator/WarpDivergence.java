/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

/**
 * Which lanes of a warp are where. One group of lanes runs; the others wait behind a branch, or at
 * an instruction that several lanes take part in. The group furthest behind in the text runs first.
 */
final class WarpDivergence {
  private static final int NOWHERE = Integer.MAX_VALUE;

  /** The groups that do not run: where they are, who is in them, and for whom they wait. */
  private final int[] places = new int[Slot.LANES];

  private final int[] members = new int[Slot.LANES];
  private final int[] awaited = new int[Slot.LANES];
  private int groups;

  private int pc;
  private int active;
  private int living;

  /** The first place of a group that could run. */
  private int nearest;

  /** Whether lanes went different ways, and no barrier has brought all of them together since. */
  private boolean parted;

  void start(int lanes) {
    groups = 0;
    pc = 0;
    active = lanes;
    living = lanes;
    nearest = NOWHERE;
    parted = false;
  }

  int pc() {
    return pc;
  }

  int active() {
    return active;
  }

  /** Returns the lanes that have not returned. */
  int living() {
    return living;
  }

  void step() {
    pc++;
  }

  /** Sends some of the running lanes elsewhere. */
  void branch(int lanes, int target) {
    if (lanes != active) {
      put(pc, active & ~lanes, 0);
      parted = true;
    }
    active = lanes;
    pc = target;
  }

  /**
   * Returns whether lanes went different ways, and no barrier has brought all of them together
   * since: a device need not run them as one again, as is done here.
   */
  boolean parted() {
    return parted;
  }

  /** Tells that a barrier has brought all lanes together. */
  void together() {
    parted = false;
  }

  /** Ends some of the running lanes. Returns whether none is left. */
  boolean end(int lanes) {
    living &= ~lanes;
    active &= ~lanes;
    if (active == 0 && living != 0) {
      pc = NOWHERE;
    }
    return living == 0;
  }

  /**
   * Takes part in the instruction that is running, which {@code together} run as one.
   *
   * @return whether all are there; else the lanes wait, and others run
   */
  boolean meet(int together) {
    int missing = together & ~living;
    if (missing != 0) {
      throw EmulatorFault.of(
          Integer.numberOfTrailingZeros(missing), "has returned, but others wait for it");
    }
    if ((active & ~together) != 0) {
      throw EmulatorFault.of(
          Integer.numberOfTrailingZeros(active & ~together), "is not in its own mask");
    }
    int here = pc - 1;
    for (int i = groups - 1; i >= 0 && active != together; i--) {
      if (places[i] == here && awaited[i] == together) {
        active |= members[i];
        remove(i);
      }
    }
    if (active == together) {
      return true;
    }
    put(here, active, together);
    active = 0;
    pc = NOWHERE;
    return false;
  }

  private void put(int place, int lanes, int waitsFor) {
    places[groups] = place;
    members[groups] = lanes;
    awaited[groups] = waitsFor;
    groups++;
    findNearest();
  }

  private void remove(int group) {
    groups--;
    places[group] = places[groups];
    members[group] = members[groups];
    awaited[group] = awaited[groups];
    findNearest();
  }

  private void findNearest() {
    nearest = NOWHERE;
    for (int i = 0; i < groups; i++) {
      nearest = awaited[i] == 0 ? Math.min(nearest, places[i]) : nearest;
    }
  }

  /** Lets those run that are furthest behind, together with all that are at the same place. */
  void reconverge() {
    if (pc < nearest) {
      return;
    }
    if (active == 0 && nearest == NOWHERE) {
      throw new EmulatorFault(
          "lanes %08x wait for lanes %08x, which do not come"
              .formatted(members[0], awaited[0] & ~members[0]));
    }
    if (active != 0 && pc > nearest) {
      put(pc, active, 0);
      active = 0;
    }
    pc = nearest;
    for (int i = groups - 1; i >= 0; i--) {
      if (places[i] == pc && awaited[i] == 0) {
        active |= members[i];
        remove(i);
      }
    }
    findNearest();
  }
}
