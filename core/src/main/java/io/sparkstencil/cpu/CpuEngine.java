/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.StencilSpec;
import java.util.Map;

/**
 * Runs every stencil on the calling thread, as flat passes over arrays.
 *
 * <p>Exact sums are added tap by tap, in the order of the reference. Minima, maxima, integer sums
 * and fast sums cost the same for every width. A fast sum of {@code w} cells differs from the true
 * sum by at most {@code w u / (1 - w u)} times the sum of their absolute values, where {@code u} is
 * the unit roundoff; this bound holds for any order of {@code w - 1} additions (Higham, "Accuracy
 * and Stability of Numerical Algorithms", section 4.2). A fast mean is also rounded by the
 * reciprocal and its product. A fast weighted sum is exact.
 */
public final class CpuEngine implements StencilEngine {
  /** The name that users choose this engine by. */
  public static final String NAME = Engines.CPU;

  /** Small enough that input and outputs of a batch stay in a core's second-level cache. */
  private static final int BATCH_BYTES = 256 << 10;

  private final PassKind passes;

  /** Opens the engine; {@code spark.stencil.cpu.vectors} decides whether it uses the Vector API. */
  public CpuEngine(Map<String, String> options) {
    passes = PassKind.of(requireNonNull(options, "options is null"));
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns the kind of passes that this engine runs and, if they are not the fastest, why. */
  @Override
  public String description() {
    return "%s, %s".formatted(NAME, passes.description());
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
    // Lanes own all memory.
  }
}
