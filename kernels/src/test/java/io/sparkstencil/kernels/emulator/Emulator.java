/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.cuda.LaunchShape;

/**
 * Runs kernels over the memory of an emulated device, one block after the other. Launches of
 * several threads follow one another.
 */
public final class Emulator {
  /** Far more than any warp of a test needs, and reached in seconds. */
  private static final long MOST_INSTRUCTIONS = 20_000_000;

  private final DeviceMemory memory;
  private long instructions;

  /** Creates an emulator for a device. */
  public Emulator(DeviceMemory memory) {
    this.memory = memory;
  }

  /** Returns what the kernels access. */
  public DeviceMemory memory() {
    return memory;
  }

  /** Returns the instructions that all warps have run so far. */
  public long instructions() {
    synchronized (memory) {
      return instructions;
    }
  }

  /**
   * Runs all blocks of a grid.
   *
   * @param arguments one per parameter: an address, or a number in the low bits
   * @throws EmulatorFault if the kernel does what it must not do
   */
  public void launch(PtxKernel kernel, LaunchShape shape, long... arguments) {
    launchWithin(MOST_INSTRUCTIONS, kernel, shape, arguments);
  }

  /** Runs all blocks, each warp of which may run so many instructions. */
  void launchWithin(long limit, PtxKernel kernel, LaunchShape shape, long... arguments) {
    if (arguments.length != kernel.parameters()) {
      throw new EmulatorFault(
          "%s has %d parameters, but the launch has %d arguments"
              .formatted(kernel.name(), kernel.parameters(), arguments.length));
    }
    if (kernel.mostThreads() > 0 && shape.threads() > kernel.mostThreads()) {
      throw new EmulatorFault(
          "%s is for blocks of %d threads, but is launched with %d"
              .formatted(kernel.name(), kernel.mostThreads(), shape.threads()));
    }
    synchronized (memory) {
      memory.startLaunch();
      Block block = new Block(kernel, shape, memory, limit, arguments);
      for (int y = 0; y < shape.blocksY(); y++) {
        for (int x = 0; x < shape.blocks(); x++) {
          instructions += block.run(x, y);
        }
      }
    }
  }
}
