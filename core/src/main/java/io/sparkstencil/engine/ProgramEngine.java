/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.program.StencilProgram;

/** Runs stencil programs on one kind of device. Safe for many threads. */
public interface ProgramEngine extends AutoCloseable {
  /** Returns the name that users choose it by: {@code cpu}, {@code gpu} or {@code reference}. */
  String name();

  /** Returns a one-line description of the engine and its device, for logs. */
  String description();

  /** Compiles a program. What is made for a device is made when a run needs it, and kept. */
  CompiledProgram compile(StencilProgram program);

  /** Frees all resources. No program may be running. */
  @Override
  void close();
}
