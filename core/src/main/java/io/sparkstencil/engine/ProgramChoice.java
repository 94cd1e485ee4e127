/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import java.util.List;
import java.util.Locale;

/**
 * The engines that may do some work, and the reason for their order.
 *
 * @param work what is to be done
 * @param candidates engines with their estimates, the fastest first; at least one
 * @param skipped engines that cannot be used, with their reasons
 */
public record ProgramChoice(
    ProgramWork work, List<Candidate> candidates, List<Engines.Skipped> skipped) {
  private static final double MILLIS = 1e3;

  /**
   * An engine that may do the work.
   *
   * @param engine the engine's name
   * @param estimate the time that it would take
   */
  public record Candidate(String engine, ProgramEstimate estimate) {
    private String describe() {
      return estimate.copySeconds() > 0
          ? "%s ms on %s, of which copies take %s ms"
              .formatted(millis(estimate.seconds()), engine, millis(estimate.copySeconds()))
          : "%s ms on %s".formatted(millis(estimate.seconds()), engine);
    }
  }

  /** Copies the lists. */
  public ProgramChoice {
    candidates = List.copyOf(candidates);
    skipped = List.copyOf(skipped);
  }

  /** Returns the name of the engine that does the work. */
  public String engine() {
    return candidates.get(0).engine();
  }

  /** Returns why, in one sentence without its full stop. */
  public String why() {
    if (candidates.size() > 1) {
      return "%s cells and %s steps are estimated to take %s, and %s"
          .formatted(
              work.cells(),
              work.steps(),
              candidates.get(0).describe(),
              candidates.get(1).describe());
    }
    return skipped.isEmpty()
        ? "engine %s is the only one".formatted(engine())
        : "engine %s is not used: %s".formatted(skipped.get(0).engine(), skipped.get(0).reason());
  }

  private static String millis(double seconds) {
    return String.format(Locale.ROOT, "%.3g", seconds * MILLIS);
  }
}
