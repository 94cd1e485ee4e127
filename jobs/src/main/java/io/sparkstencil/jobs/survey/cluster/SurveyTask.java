/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.jobs.command.Failure;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.jobs.survey.result.Answer;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
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
 * @param surveyor finds the engine
 * @param names the experiments to run
 * @param options values of {@code spark.stencil.*} keys
 * @param run what tells this run from others
 */
record SurveyTask(Surveyor surveyor, List<String> names, Map<String, String> options, String run)
    implements FlatMapFunction<Iterator<Integer>, Outcome> {
  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  @Override
  public Iterator<Outcome> call(Iterator<Integer> none) {
    EngineProvider provider = surveyor.provider();
    Claims claims = Claims.of(run);
    String host = SparkEnv.get().blockManager().blockManagerId().host();
    List<Outcome> outcomes = new ArrayList<>();
    Optional<String> reason = provider.unavailableReason();
    if (reason.isPresent()) {
      if (claims.take("executor " + SparkEnv.get().executorId())) {
        outcomes.add(Outcome.failed(host, "", reason.get()));
      }
      return outcomes.iterator();
    }
    String visible = System.getenv().getOrDefault(VISIBLE, "all");
    for (String address : addresses(provider)) {
      if (claims.take("device %s of %s".formatted(address, visible))) {
        survey(provider, claims, host, address).ifPresent(outcomes::add);
      }
    }
    return outcomes.iterator();
  }

  private static List<String> addresses(EngineProvider provider) {
    ResourceInformation assigned = TaskContext.get().resourcesJMap().get("gpu");
    return assigned == null ? provider.devices() : List.of(assigned.addresses());
  }

  /** Returns empty if the device is another task's, under another address. */
  private Optional<Outcome> survey(
      EngineProvider provider, Claims claims, String host, String address) {
    Map<String, String> here = new HashMap<>(options);
    here.put(EngineProvider.DEVICE_OPTION, address);
    try (DeviceSurvey survey = provider.openSurvey(here).orElseThrow()) {
      if (!claims.take(survey.device().uuid())) {
        return Optional.empty();
      }
      List<Answer> answers = new ArrayList<>();
      for (Experiment experiment : provider.experiments()) {
        if (names.contains(experiment.name())) {
          answers.add(new Answer(experiment, survey.run(experiment)));
        }
      }
      SurveyResult result = new SurveyResult(StencilVersion.ofProject(), survey.device(), answers);
      return Optional.of(Outcome.of(host, address, result));
    } catch (RuntimeException e) { // the surveys of other devices still count
      return Optional.of(Outcome.failed(host, address, Failure.of(e).line()));
    }
  }
}
