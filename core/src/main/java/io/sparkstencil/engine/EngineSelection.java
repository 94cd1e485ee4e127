/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.List;
import java.util.Map;

/**
 * Which engines may be used in this process, and why the others may not.
 *
 * @param usable engines in the order of preference, at least one; those after the first are for
 *     stencils that the ones before refuse
 * @param skipped every other engine with its reason
 */
public record EngineSelection(List<EngineProvider> usable, List<Skipped> skipped) {
  /**
   * An engine that is not used.
   *
   * @param engine its name
   * @param reason why, in words for the user
   */
  public record Skipped(String engine, String reason) {}

  /** Checks that there is an engine. */
  public EngineSelection {
    usable = List.copyOf(usable);
    skipped = List.copyOf(skipped);
    if (usable.isEmpty()) {
      throw new IllegalArgumentException("no usable engine");
    }
  }

  /** Returns the engine that is preferred. */
  public EngineProvider preferred() {
    return usable.get(0);
  }

  /** Opens the preferred engine with the values of {@code spark.stencil.*} keys. */
  public StencilEngine open(Map<String, String> options) {
    return preferred().open(options);
  }
}
