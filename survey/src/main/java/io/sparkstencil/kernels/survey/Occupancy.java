/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.DeviceLimits;

/** How many blocks a multiprocessor runs at once, computed from what each of them takes. */
final class Occupancy {
  private static final int LANES = 32;

  /** Registers are given to warps in runs of so many. */
  private static final int REGISTER_RUN = 256;

  /** A multiprocessor has so many parts, each with registers of its own. */
  private static final int PARTS = 4;

  /** Shared memory is given to blocks in runs of so many bytes. */
  private static final int SHARED_RUN = 128;

  /** Since compute capability 8.0, each block takes so many bytes of shared memory more. */
  private static final int RESERVED = 1024;

  private Occupancy() {}

  /** Returns the most blocks of a multiprocessor, whatever they take. */
  static int mostBlocks(int capability) {
    return switch (capability) {
      case 75, 86, 87 -> 16;
      case 89, 120 -> 24;
      default -> 32;
    };
  }

  /**
   * Returns the blocks that run at once.
   *
   * @param registers of a thread
   * @param threads of a block
   * @param sharedBytes of a block
   */
  static int blocks(
      CudaDevice device, DeviceLimits limits, int registers, int threads, int sharedBytes) {
    int warps = (threads + LANES - 1) / LANES;
    int byThreads = device.threadsPerMultiprocessor() / (warps * LANES);
    int perWarp = up(Math.max(1, registers) * LANES, REGISTER_RUN);
    int perPart = limits.registersPerMultiprocessor() / PARTS / perWarp;
    int byRegisters = perPart * PARTS / warps;
    int reserved = device.capability() >= 80 ? RESERVED : 0;
    int shared = up(sharedBytes, SHARED_RUN) + reserved;
    int byShared = shared == 0 ? Integer.MAX_VALUE : limits.sharedBytesPerMultiprocessor() / shared;
    return Math.min(
        Math.min(byThreads, byRegisters), Math.min(byShared, mostBlocks(device.capability())));
  }

  private static int up(int value, int run) {
    return (value + run - 1) / run * run;
  }
}
