/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.jobs.command.Failure;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.resource.ResourceInformation;

/**
 * Surveys devices, one after the other, that no other task has taken: those that Spark has assigned
 * to the task or, where it assigns none, those that its process sees.
 *
 * @param surveyor finds what has experiments
 * @param names the experiments to run
 * @param options values of {@code spark.stencil.*} keys
 * @param run what tells this run from others
 */
record SurveyTask(Surveyor surveyor, List<String> names, Map<String, String> options, String run)
    implements FlatMapFunction<Iterator<Integer>, String[]> {
  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  @Override
  public Iterator<String[]> call(Iterator<Integer> none) {
    return outcomes().stream().map(DeviceAnswer::fields).iterator();
  }

  private List<DeviceAnswer> outcomes() {
    SurveyProvider provider = surveyor.provider();
    Claims claims = Claims.of(run);
    String host = SparkEnv.get().blockManager().blockManagerId().host();
    List<DeviceAnswer> outcomes = new ArrayList<>();
    Optional<String> reason = provider.unavailableReason();
    if (reason.isPresent()) {
      if (claims.take("executor " + SparkEnv.get().executorId())) {
        outcomes.add(DeviceAnswer.failed(host, "", reason.get()));
      }
      return outcomes;
    }
    String visible = System.getenv().getOrDefault(VISIBLE, "all");
    for (String address : addresses(provider)) {
      if (claims.take("device %s of %s".formatted(address, visible))) {
        outcomes.addAll(survey(provider, claims, host, address));
      }
    }
    return outcomes;
  }

  private static List<String> addresses(SurveyProvider provider) {
    ResourceInformation assigned = TaskContext.get().resourcesJMap().get("gpu");
    return assigned == null ? provider.devices() : List.of(assigned.addresses());
  }

  /**
   * Returns what was found, and what failed; nothing if the device is another task's, under another
   * address.
   */
  private List<DeviceAnswer> survey(
      SurveyProvider provider, Claims claims, String host, String address) {
    Map<String, String> here = new HashMap<>(options);
    here.put(EngineProvider.DEVICE_OPTION, address);
    try (DeviceSurvey survey = provider.openSurvey(here)) {
      if (!claims.take(survey.device().uuid())) {
        return List.of();
      }
      List<AnsweredQuestion> answers = new ArrayList<>();
      List<DeviceAnswer> outcomes = new ArrayList<>();
      for (Experiment experiment : provider.experiments()) {
        if (names.contains(experiment.name())) {
          try {
            answers.add(new AnsweredQuestion(experiment, survey.run(experiment)));
          } catch (RuntimeException e) { // the other answers still count
            String why = "%s failed: %s".formatted(experiment.name(), Failure.of(e).line());
            outcomes.add(DeviceAnswer.failed(host, address, why));
          }
        }
      }
      survey.keepProfile(Optional.empty());
      if (!answers.isEmpty()) {
        outcomes.add(
            DeviceAnswer.of(
                host,
                address,
                new SurveyResult(StencilVersion.ofProject(), survey.device(), answers)));
      }
      return outcomes;
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) { // so do those of other devices
      return List.of(DeviceAnswer.failed(host, address, Failure.of(e).line()));
    }
  }
}
