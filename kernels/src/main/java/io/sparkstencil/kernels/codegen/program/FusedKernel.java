/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.kernels.variant.DeviceTraits;
import java.util.List;
import java.util.Optional;

/**
 * Several steps of a program in one kernel, for cells so far from the ends of the fields that no
 * boundary reaches them. Other kernels compute the cells beside the ends.
 *
 * <p>The kernel writes no cell outside {@link #results}.
 */
public interface FusedKernel extends PassKernel {
  /**
   * Returns the cells that this can compute in an array, or nothing if they are too few to be worth
   * a launch.
   */
  Optional<Span> results(Layout layout);

  /**
   * Returns how to compute cells.
   *
   * @param results those of {@link #results}, or those that an {@link EdgeKernel} leaves of them
   * @param resident blocks of this kernel that the whole device runs at the same time
   */
  Launch launch(Layout layout, Span results, int resident);

  /**
   * Returns a kernel that computes cells along the ends in the same steps; nothing if there is none
   * for this program, array and device.
   */
  default Optional<EdgeKernel> edges(Layout layout, DeviceTraits device) {
    return Optional.empty();
  }

  /**
   * How the cells of an array lie in device memory. The first cell of each row is aligned to 128
   * bytes.
   *
   * @param sizes the cells along each axis, slowest first, one number per axis of the program
   * @param pitch cells between the starts of neighbouring rows, at least those of a row; the rows
   *     of neighbouring planes follow one another
   */
  record Layout(List<Integer> sizes, int pitch) {}

  /**
   * A box of cells.
   *
   * @param low the first cell of each axis
   * @param high the first cell of each axis beyond the box
   */
  record Span(List<Integer> low, List<Integer> high) {}

  /**
   * A grid of blocks and the arguments that go with it.
   *
   * @param blocks blocks in the grid's first dimension
   * @param blocksY blocks in its second dimension
   * @param numbers arguments of the kernel
   */
  record Launch(int blocks, int blocksY, List<Integer> numbers) {}
}
