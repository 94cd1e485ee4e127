/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import java.util.Arrays;

/** The local memory of the threads of a warp, in words; what nobody has written is unknown. */
final class LocalMemory {
  private static final int WORD = Integer.BYTES;

  private final int words;
  private final int[] values;
  private final boolean[] known;

  LocalMemory(int bytes) {
    words = bytes / WORD;
    values = new int[words * Slot.LANES];
    known = new boolean[words * Slot.LANES];
  }

  /** Forgets what the threads of the block before have written. */
  void clear() {
    Arrays.fill(known, false);
  }

  /** Puts a word into a register; returns whether it is known. */
  boolean load(int lane, long address, int[] registers, int register) {
    int at = at(lane, address);
    registers[register] = values[at];
    return known[at];
  }

  void store(int lane, long address, int value, boolean isKnown) {
    int at = at(lane, address);
    values[at] = value;
    known[at] = isKnown;
  }

  private int at(int lane, long address) {
    if (address < 0 || address + WORD > (long) words * WORD || address % WORD != 0) {
      throw EmulatorFault.of(
          lane, "accesses 4 bytes at %d of %d local ones".formatted(address, words * WORD));
    }
    return lane * words + (int) (address / WORD);
  }
}
