/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.survey.Experiment;
import java.util.List;
import java.util.stream.Collectors;

/** Which engine is asked, and what. */
final class Surveyors {
  private Surveyors() {}

  /** Returns the engine that has experiments. */
  static EngineProvider discover() {
    return Engines.discover().stream()
        .filter(provider -> !provider.experiments().isEmpty())
        .findFirst()
        .orElseThrow(
            () ->
                new EngineUnavailableException(
                    "no engine here has experiments; use the complete Spark Stencil jar"));
  }

  /** Fails, as the doctor does, if the engine cannot be used here; says what can be had. */
  static void requireAvailable(EngineProvider provider) {
    provider
        .unavailableReason()
        .ifPresent(
            reason -> {
              throw new EngineUnavailableException(
                  reason + "; bin/stencil survey --list --verbose says what would be measured");
            });
  }

  /**
   * Returns the experiments of some names, in the order in which the engine has them.
   *
   * @param names those that are wanted, or null for all
   */
  static List<Experiment> choose(List<Experiment> all, List<String> names) {
    if (names == null) {
      return all;
    }
    List<String> known = all.stream().map(Experiment::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new InvalidStencilException(
            "--only %s is no experiment; known experiments are %s"
                .formatted(name, known.stream().collect(Collectors.joining(", "))));
      }
    }
    return all.stream().filter(experiment -> names.contains(experiment.name())).toList();
  }
}
