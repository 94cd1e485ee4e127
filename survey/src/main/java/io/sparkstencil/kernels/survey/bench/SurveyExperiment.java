/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey.bench;

import io.sparkstencil.survey.Experiment;

/** An experiment of the survey and how it is run. */
public interface SurveyExperiment {
  /** Returns what is asked and how. */
  Experiment experiment();

  /**
   * Runs it.
   *
   * @param bench where
   * @param rates what predictions are made from
   */
  FindingBuilder answer(Bench bench, DeviceRates rates);
}
