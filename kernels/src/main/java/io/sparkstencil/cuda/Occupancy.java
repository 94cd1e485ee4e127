/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * How full a kernel can fill a multiprocessor, by the device's own rules of allocation.
 *
 * @param blocksPerMultiprocessor blocks resident at once
 * @param warpsPerMultiprocessor warps resident at once
 * @param fraction those warps over the most that there can be, 0 to 1
 * @param limitedBy the resource that allows no more
 */
public record Occupancy(
    int blocksPerMultiprocessor, int warpsPerMultiprocessor, double fraction, Limit limitedBy) {

  /** A resource of a multiprocessor. */
  public enum Limit {
    /** Resident warps. */
    WARPS,
    /** Resident blocks. */
    BLOCKS,
    /** Registers. */
    REGISTERS,
    /** Shared memory. */
    SHARED_MEMORY
  }

  /**
   * Returns the occupancy of a kernel.
   *
   * @param threads threads per block
   * @param registers registers per thread
   * @param sharedBytes shared memory per block, static and dynamic
   */
  public static Occupancy of(
      MultiprocessorLimits limits, int threads, int registers, int sharedBytes) {
    int warps = roundUp(threads, MultiprocessorLimits.WARP) / MultiprocessorLimits.WARP;
    int blocks = limits.maxWarps() / warps;
    Limit limit = Limit.WARPS;
    if (limits.maxBlocks() < blocks) {
      blocks = limits.maxBlocks();
      limit = Limit.BLOCKS;
    }
    int byRegisters = blocksByRegisters(limits, warps, registers);
    if (byRegisters < blocks) {
      blocks = byRegisters;
      limit = Limit.REGISTERS;
    }
    int byShared = blocksBySharedMemory(limits, sharedBytes);
    if (byShared < blocks) {
      blocks = byShared;
      limit = Limit.SHARED_MEMORY;
    }
    int resident = blocks * warps;
    return new Occupancy(blocks, resident, (double) resident / limits.maxWarps(), limit);
  }

  /** Each warp takes whole units, all from one of the multiprocessor's parts. */
  private static int blocksByRegisters(MultiprocessorLimits limits, int warps, int registers) {
    if (registers == 0) {
      return Integer.MAX_VALUE;
    }
    int ofWarp = roundUp(registers * MultiprocessorLimits.WARP, MultiprocessorLimits.REGISTER_UNIT);
    int warpsPerPart = limits.registers() / MultiprocessorLimits.PARTITIONS / ofWarp;
    return warpsPerPart * MultiprocessorLimits.PARTITIONS / warps;
  }

  private static int blocksBySharedMemory(MultiprocessorLimits limits, int sharedBytes) {
    int ofBlock = roundUp(sharedBytes + limits.reservedSharedBytes(), limits.sharedUnit());
    return ofBlock == 0 ? Integer.MAX_VALUE : limits.sharedBytes() / ofBlock;
  }

  private static int roundUp(int value, int unit) {
    return (value + unit - 1) / unit * unit;
  }
}
