/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.model.StencilSpec;
import java.util.List;

/**
 * What a task is about to do, as far as it matters for the choice of an engine.
 *
 * @param specs what runs over the same staged cells, at least one
 * @param cells the cells of the partition, or {@link #UNKNOWN_CELLS}
 * @param steps how often the stencils run over the cells before these leave the engine
 */
public record PartitionWork(List<StencilSpec> specs, long cells, int steps) {
  /** The number of cells where it is not known before the work is done; taken for a large one. */
  public static final long UNKNOWN_CELLS = Long.MAX_VALUE;

  /** Checks the components. */
  public PartitionWork {
    specs = List.copyOf(specs);
    if (specs.isEmpty() || cells < 0 || steps < 1) {
      throw new IllegalArgumentException(
          "%d stencils, %d cells, %d steps; there must be at least 1, 0 and 1"
              .formatted(specs.size(), cells, steps));
    }
  }

  /** Describes stencils that run once over an unknown number of cells. */
  public static PartitionWork of(List<StencilSpec> specs) {
    return new PartitionWork(specs, UNKNOWN_CELLS, 1);
  }
}
