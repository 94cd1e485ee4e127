/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.Failure;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.jobs.survey.page.SurveyFiles;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyedDevice;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;

/**
 * Runs experiments one after the other and keeps the files up to date, so that a run that is
 * interrupted leaves what it has found.
 *
 * @param survey the device; not closed here
 * @param files where findings go
 * @param progress where a line for each experiment goes
 */
record SurveyRun(DeviceSurvey survey, SurveyFiles files, PrintWriter progress) {
  /**
   * Runs experiments.
   *
   * @param resume whether to leave out those that the folder's survey of this device has
   * @return all that the folder's survey has then
   * @throws InvalidStencilException if it is to go on with the survey of another device
   * @throws RuntimeException what the first experiment that failed has thrown, after all others
   */
  SurveyResult run(List<Experiment> experiments, boolean resume) throws IOException {
    SurveyResult before = resume ? before() : others(experiments);
    List<Experiment> left =
        experiments.stream().filter(each -> before.answer(each.name()).isEmpty()).toList();
    if (left.isEmpty()) {
      progress.printf("%s has all of these experiments%n", files.json());
    }
    SurveyResult result = before;
    RuntimeException first = null;
    for (int i = 0; i < left.size(); i++) {
      Experiment experiment = left.get(i);
      progress.printf("[%d/%d] %s ... ", i + 1, left.size(), experiment.name());
      progress.flush();
      AnsweredQuestion answer;
      try {
        answer = new AnsweredQuestion(experiment, survey.run(experiment));
      } catch (RuntimeException e) { // the others may be answered
        progress.println(" failed: " + Failure.of(e).line());
        progress.flush();
        first = first == null ? e : first;
        continue;
      }
      progress.printf(Locale.ROOT, " %.1f s%n", answer.finding().seconds());
      progress.flush();
      // The clock is known once something was computed.
      result = new SurveyResult(result.version(), survey.device(), result.answers()).with(answer);
      files.write(result);
    }
    if (first != null) {
      throw first;
    }
    return result;
  }

  /**
   * Returns what the folder's survey of this device by this version has beside some experiments.
   */
  private SurveyResult others(List<Experiment> experiments) {
    SurveyResult none = nothing();
    if (!Files.exists(files.json())) {
      return none;
    }
    SurveyResult found;
    try {
      found = SurveyFile.read(files.json());
    } catch (InvalidStencilException e) {
      return none; // no survey: it is replaced
    }
    if (!isOfThisDevice(found) || !found.version().equals(none.version())) {
      return none;
    }
    List<String> asked = experiments.stream().map(Experiment::name).toList();
    return new SurveyResult(
        none.version(),
        none.device(),
        found.answers().stream()
            .filter(answer -> !asked.contains(answer.experiment().name()))
            .toList());
  }

  private boolean isOfThisDevice(SurveyResult found) {
    return found.device().uuid().equals(survey.device().uuid())
        && found.device().driver().equals(survey.device().driver());
  }

  private SurveyResult nothing() {
    return new SurveyResult(StencilVersion.ofProject(), survey.device(), List.of());
  }

  private SurveyResult before() {
    if (!Files.exists(files.json())) {
      return nothing();
    }
    SurveyResult found = SurveyFile.read(files.json());
    SurveyedDevice here = survey.device();
    SurveyedDevice there = found.device();
    if (!isOfThisDevice(found)) {
      throw new InvalidStencilException(
          "%s is of %s (%s, CUDA %s), but this is %s (%s, CUDA %s); name another --folder, or leave out --resume to replace it"
              .formatted(
                  files.json(),
                  there.name(),
                  there.uuid(),
                  there.driver(),
                  here.name(),
                  here.uuid(),
                  here.driver()));
    }
    return found;
  }
}
