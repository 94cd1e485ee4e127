/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * What one multiprocessor of a device holds, as the driver tells it, and in which units it is given
 * out.
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

  /** Returns the unit in which shared memory is given out. */
  int sharedUnit() {
    return capability.major() >= 8 ? 128 : 256;
  }
}
