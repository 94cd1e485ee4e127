/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.util.Map;
import java.util.Optional;

/**
 * What one multiprocessor holds, and in which units it is given out. Of a device at hand these are
 * read from the driver; the figures for known compute capabilities are those of NVIDIA's CUDA C++
 * Programming Guide, table "Technical Specifications per Compute Capability".
 *
 * @param capability the version of the instruction set
 * @param multiprocessors how many the device has; 1 where no device is meant
 * @param maxWarps warps resident at once
 * @param maxBlocks blocks resident at once
 * @param registers 32-bit registers
 * @param sharedBytes shared memory
 * @param sharedBytesPerBlock the most that one block can have
 * @param reservedSharedBytes what the system takes of each block's shared memory
 */
public record MultiprocessorLimits(
    ComputeCapability capability,
    int multiprocessors,
    int maxWarps,
    int maxBlocks,
    int registers,
    int sharedBytes,
    int sharedBytesPerBlock,
    int reservedSharedBytes) {
  /** Threads of a warp. */
  public static final int WARP = 32;

  /** Registers are given to warps in units of this many. */
  static final int REGISTER_UNIT = 256;

  /** Each multiprocessor since Volta has four parts with a quarter of the registers each. */
  static final int PARTITIONS = 4;

  private static final int KIB = 1024;

  private static final Map<Integer, MultiprocessorLimits> KNOWN =
      Map.of(
          70, known(7, 0, 64, 32, 96, 0),
          75, known(7, 5, 32, 16, 64, 0),
          80, known(8, 0, 64, 32, 164, 1),
          86, known(8, 6, 48, 16, 100, 1),
          89, known(8, 9, 48, 24, 100, 1),
          90, known(9, 0, 64, 32, 228, 1),
          100, known(10, 0, 64, 32, 228, 1),
          120, known(12, 0, 48, 24, 100, 1));

  private static MultiprocessorLimits known(
      int major, int minor, int warps, int blocks, int sharedKib, int reservedKib) {
    return new MultiprocessorLimits(
        new ComputeCapability(major, minor),
        1,
        warps,
        blocks,
        64 * KIB,
        sharedKib * KIB,
        (sharedKib - reservedKib) * KIB,
        reservedKib * KIB);
  }

  /** Returns the figures of a compute capability, if it is one we know. */
  public static Optional<MultiprocessorLimits> of(ComputeCapability capability) {
    return Optional.ofNullable(KNOWN.get(capability.number()));
  }

  /** Returns the unit in which shared memory is given out. */
  int sharedUnit() {
    return capability.major() >= 8 ? 128 : 256;
  }
}
