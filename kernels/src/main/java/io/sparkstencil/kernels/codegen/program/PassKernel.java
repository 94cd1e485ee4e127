/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import java.util.List;

/**
 * Several steps of a program in one kernel, from some arrays to others.
 *
 * <p>The arguments of the kernel are, in this order:
 *
 * <ol>
 *   <li>for each field of {@link #inputs}, the address (64 bits) of the cell at the origin of its
 *       array;
 *   <li>for each field of {@link #outputs}, the address (64 bits) of the cell at the origin of the
 *       array that takes its results, which is none of the arrays that are read;
 *   <li>the numbers (32 bits) of {@link FusedKernel.Launch#numbers};
 *   <li>for each step, each parameter of the program, as a cell of the element type.
 * </ol>
 *
 * <p>The kernel reads nothing outside {@code [0, size)} of any axis but the padding cells at the
 * end of a row, on which no result depends.
 */
public interface PassKernel {
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
}
