/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.kernels.survey.bench.Effort;
import io.sparkstencil.survey.Experiment;
import java.util.Optional;

/**
 * Every kernel of the survey, each a few times over little memory, for NVIDIA's compute-sanitizer:
 *
 * <pre>
 *   compute-sanitizer --tool memcheck  java -cp ... io.sparkstencil.kernels.survey.SurveySanitizerTarget
 *   compute-sanitizer --tool racecheck java -cp ... io.sparkstencil.kernels.survey.SurveySanitizerTarget
 * </pre>
 *
 * Ends with 1 if a result is wrong.
 */
final class SurveySanitizerTarget {
  private static final Effort LITTLE = new Effort(1 << 20, 1, 1, 2, 4, 2, 1 << 20);

  private SurveySanitizerTarget() {}

  /** Runs all experiments. */
  public static void main(String[] args) {
    CudaDriver driver = CudaDriver.get();
    try (SurveyRunner survey =
        new SurveyRunner(driver, driver.devices().get(0), Optional.empty(), context -> LITTLE)) {
      for (Experiment experiment : SurveyRunner.experiments()) {
        survey.run(experiment);
        System.out.println(experiment.name());
      }
    }
  }
}
