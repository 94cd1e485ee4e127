/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.StencilSpec;
import java.util.Optional;

/**
 * Runs compiled stencils over staged batches on one kind of device. Safe for use by many threads.
 * Every engine gives the same bits for {@link io.sparkstencil.model.Accuracy#EXACT}.
 */
public interface StencilEngine extends AutoCloseable {
  /** Returns the name by which users choose it: {@code cpu}, {@code gpu}, {@code reference}. */
  String name();

  /** Returns the engine, its device and its driver in one line, for logs. */
  default String description() {
    return name();
  }

  /** Returns why this engine cannot run {@code spec}, in words for the user, or empty if it can. */
  Optional<String> reasonAgainst(StencilSpec spec);

  /**
   * Returns {@code spec} ready to run; engines keep what is costly to make, so that compiling again
   * is cheap.
   *
   * @throws io.sparkstencil.error.UnsupportedStencilException where {@link #reasonAgainst} says why
   * @throws io.sparkstencil.error.KernelCompilationException if no variant compiles
   */
  CompiledStencil compile(StencilSpec spec);

  /** Opens a lane for the calling task. */
  Lane openLane();

  /** Returns the staged bytes per batch that suit this engine. */
  int preferredBatchBytes();

  /** Frees everything; lanes must have been closed. */
  @Override
  void close();
}
