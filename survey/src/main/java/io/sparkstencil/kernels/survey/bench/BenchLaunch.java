/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.kernels.launch.LaunchArguments;
import io.sparkstencil.kernels.variant.KernelKey;

/**
 * A launch.
 *
 * @param kernel what is launched
 * @param blocks of the grid's first dimension
 * @param blocksY of its second
 * @param arguments all that the kernel has
 */
public record BenchLaunch(KernelKey kernel, int blocks, int blocksY, LaunchArguments arguments) {
  /** Returns a launch of a grid of one dimension. */
  public static BenchLaunch of(KernelKey kernel, int blocks, LaunchArguments arguments) {
    return new BenchLaunch(kernel, blocks, 1, arguments);
  }

  /** Returns this launch with fewer blocks. */
  public BenchLaunch with(int fewerBlocks) {
    return new BenchLaunch(kernel, fewerBlocks, blocksY, arguments);
  }
}
