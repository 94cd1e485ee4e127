/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

/**
 * How a kernel is spread over a device.
 *
 * @param blocks blocks in the grid's first dimension, at least 1
 * @param blocksY blocks in its second dimension, at least 1
 * @param threads threads of one block, at most 1024
 * @param dynamicSharedBytes shared memory of one block beyond what the kernel declares
 */
public record LaunchShape(int blocks, int blocksY, int threads, int dynamicSharedBytes) {
  private static final int MAX_THREADS = 1024;

  /** Checks the limits that every device has. */
  public LaunchShape {
    if (blocks < 1
        || blocksY < 1
        || threads < 1
        || threads > MAX_THREADS
        || dynamicSharedBytes < 0) {
      throw new IllegalArgumentException(
          "a launch needs at least 1 block of 1 to %d threads and no negative shared memory, but got %d x %d blocks of %d threads with %d bytes"
              .formatted(MAX_THREADS, blocks, blocksY, threads, dynamicSharedBytes));
    }
  }
}
