/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import java.util.Optional;

/** Runs stencil programs on one kind of device. Safe for many threads. */
public interface ProgramEngine extends AutoCloseable {
  /** Returns the name that users choose it by: {@code cpu}, {@code gpu} or {@code reference}. */
  String name();

  /** Returns a one-line description of the engine and its device, for logs. */
  String description();

  /** Compiles a program. What is made for a device is made when a run needs it, and kept. */
  CompiledProgram compile(StencilProgram program);

  /**
   * Returns the fields of a block of a grid in the memory of this engine's device, where they stay
   * until they are closed, which must be before this engine is. Their cells are anything at first.
   *
   * @param urgent whether blocks of other processes wait for its faces, so that its steps should
   *     come before those of others
   * @return nothing if the engine computes on the heap, or has no room for them
   * @throws io.sparkstencil.error.StencilException if the device fails or does not take the program
   */
  default Optional<BlockFields> hold(
      StencilProgram program, ElementType type, ExtendedBlock place, boolean urgent) {
    return Optional.empty();
  }

  /** Frees all resources. No program may be running. */
  @Override
  void close();
}
