/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.model.StencilSpec;
import java.util.Optional;

/**
 * Runs compiled stencils over staged batches on one kind of device. Thread-safe. Every engine gives
 * the same bits for {@link io.sparkstencil.model.Accuracy#EXACT}.
 */
public interface StencilEngine extends AutoCloseable {
  /** Returns the name that users choose it by: {@code cpu}, {@code gpu} or {@code reference}. */
  String name();

  /** Returns a one-line description of the engine, its device and its driver, for logs. */
  default String description() {
    return name();
  }

  /**
   * Returns the reason why this engine cannot run {@code spec}, worded for the user, or empty if it
   * can.
   */
  default Optional<String> reasonAgainst(StencilSpec spec) {
    return Optional.empty();
  }

  /**
   * Compiles {@code spec}. Engines cache what is costly to make, so compiling again is cheap.
   *
   * @throws io.sparkstencil.error.UnsupportedStencilException if there is a {@link #reasonAgainst}
   *     it
   * @throws io.sparkstencil.error.KernelCompilationException if no variant compiles
   */
  CompiledStencil compile(StencilSpec spec);

  /** Opens a lane for the calling task. */
  Lane openLane();

  /**
   * Lends what sorts rows on the device of this engine.
   *
   * @param rows how many, at least 1
   * @param columns of each, at least 1
   * @return empty if the engine sorts no rows, or lacks the memory at this moment
   */
  default Optional<RowSort> openSort(int rows, int columns) {
    return Optional.empty();
  }

  /** Returns the number of staged bytes per batch that suits this engine best. */
  int preferredBatchBytes();

  /** Frees all resources. All lanes must have been closed before. */
  @Override
  void close();
}
