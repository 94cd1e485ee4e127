/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.StencilSpec;
import java.util.Map;
import java.util.Optional;

/**
 * Runs every stencil on the calling thread, as flat passes over arrays.
 *
 * <p>Exact sums are added tap by tap, in the order that the reference has. Minima, maxima, integer
 * sums and fast sums cost the same for every width ({@link SlidingScans}). A fast sum of {@code w}
 * cells differs from the true one by at most {@code w u / (1 - w u)} times the sum of their
 * absolute values, {@code u} the unit roundoff, as any order of {@code w - 1} additions does
 * (Higham, "Accuracy and Stability of Numerical Algorithms", section 4.2); a fast mean is also
 * rounded by the reciprocal and its product. Weighted sums run exact in both accuracies.
 */
public final class CpuEngine implements StencilEngine {
  /** The name by which users choose this engine. */
  public static final String NAME = Engines.CPU;

  /** Input and outputs of a batch stay in a core's second-level cache. */
  private static final int BATCH_BYTES = 256 << 10;

  private final PassChoice passes;

  /** Opens the engine; {@code spark.stencil.cpu.vectors} says whether to use the Vector API. */
  public CpuEngine(Map<String, String> options) {
    passes = PassChoice.of(requireNonNull(options, "options is null"));
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns what kind of code this engine runs, and why if it is not the fastest. */
  @Override
  public String description() {
    return "%s, %s".formatted(NAME, passes.description());
  }

  @Override
  public Optional<String> reasonAgainst(StencilSpec spec) {
    return Optional.empty();
  }

  @Override
  public CompiledStencil compile(StencilSpec spec) {
    return CpuStencil.of(requireNonNull(spec, "spec is null"), passes.description());
  }

  @Override
  public Lane openLane() {
    return new CpuLane(passes);
  }

  @Override
  public int preferredBatchBytes() {
    return BATCH_BYTES;
  }

  @Override
  public void close() {
    // Lanes own their memory.
  }
}
