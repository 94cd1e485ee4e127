/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Which engine is asked, and what. */
final class Surveyors {
  private Surveyors() {}

  /** Returns what has experiments. */
  static SurveyProvider discover() {
    return ServiceLoader.load(SurveyProvider.class, Surveyors.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new EngineUnavailableException(
                    "nothing here has experiments; use the complete jar of the survey"));
  }

  /** Fails, as the doctor does, if the engine cannot be used here; says what can be had. */
  static void requireAvailable(SurveyProvider provider) {
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
