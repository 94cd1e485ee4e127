/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.kernels.gpu.GpuEngineProvider;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The experiments with GPUs. */
public final class GpuSurveys implements SurveyProvider {
  private final GpuEngineProvider gpus;

  /** Surveys the GPUs of this machine. */
  public GpuSurveys() {
    this(new GpuEngineProvider());
  }

  /** Surveys the GPUs that an engine finds. */
  GpuSurveys(GpuEngineProvider gpus) {
    this.gpus = gpus;
  }

  @Override
  public Optional<String> unavailableReason() {
    return gpus.unavailableReason();
  }

  @Override
  public List<String> devices() {
    return gpus.devices();
  }

  @Override
  public List<Experiment> experiments() {
    return SurveyRunner.experiments();
  }

  @Override
  public DeviceSurvey openSurvey(Map<String, String> options) {
    return new SurveyRunner(gpus.driver(), gpus.device(options), GpuOptions.tuningFolder(options));
  }
}
