/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import java.util.List;
import java.util.Optional;

/**
 * Several steps of a program in one kernel. It holds the boundary along some axes, or none; along
 * the others it computes cells so far from the ends that no boundary reaches them, and other
 * kernels compute the cells beside the ends.
 *
 * <p>The arguments of the kernel are, in this order:
 *
 * <ol>
 *   <li>for each field of {@link #inputs}, the address (64 bits) of the cell at the origin of its
 *       array;
 *   <li>for each field of {@link #outputs}, the address (64 bits) of the cell at the origin of the
 *       array that takes its results, which is none of the arrays that are read;
 *   <li>the numbers (32 bits) of {@link Launch#numbers};
 *   <li>for each step, each parameter of the program, as a cell of the element type.
 * </ol>
 *
 * <p>The kernel reads nothing outside {@code [0, size)} of any axis but the padding cells at the
 * end of a row, on which no result depends, and writes no cell outside {@link #results}.
 */
public interface FusedKernel {
  /** Returns the number of steps. */
  int steps();

  /** Returns the fields whose old cells are read. */
  List<Integer> inputs();

  /** Returns the fields whose results are written. */
  List<Integer> outputs();

  /** Returns the text. */
  GeneratedKernel generate();

  /** Returns a name that no kernel of the same program with another text has. */
  @Override
  String toString();

  /**
   * Returns the cells that this can compute in an array; nothing if they are too few to be worth a
   * launch, or the boundary would not be where this holds it.
   */
  Optional<Span> results(Layout layout);

  /**
   * Returns how to compute cells.
   *
   * @param results those of {@link #results}
   * @param resident blocks of this kernel that the whole device runs at the same time
   */
  Launch launch(Layout layout, Span results, int resident);

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
