/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import io.sparkstencil.survey.SurveyedDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a survey of a device has found so far.
 *
 * @param version the version of this project that measured
 * @param device the device
 * @param answers in the order in which the questions were asked
 */
public record SurveyResult(String version, SurveyedDevice device, List<AnsweredQuestion> answers) {
  /**
   * A limit of a device.
   *
   * @param limit its name and its value
   * @param unit the value's unit
   */
  public record DeviceLimit(Limit limit, String unit) {}

  /** Copies the answers. */
  public SurveyResult {
    answers = List.copyOf(answers);
  }

  /** Returns the result with one more answer. */
  public SurveyResult with(AnsweredQuestion answer) {
    List<AnsweredQuestion> all = new ArrayList<>(answers);
    all.add(answer);
    return new SurveyResult(version, device, all);
  }

  /** Returns the answer to the experiment of that name. */
  public Optional<AnsweredQuestion> answer(String experiment) {
    return answers.stream().filter(each -> each.experiment().name().equals(experiment)).findFirst();
  }

  /** Returns the limits that charts show, each once; those of one name may differ in value. */
  public List<DeviceLimit> limits() {
    Map<DeviceLimit, DeviceLimit> found = new LinkedHashMap<>();
    for (AnsweredQuestion answer : answers) {
      for (SurveyChart chart : answer.finding().charts()) {
        for (Limit limit : chart.limits()) {
          DeviceLimit each = new DeviceLimit(limit, chart.y().unit());
          found.putIfAbsent(each, each);
        }
      }
    }
    return List.copyOf(found.values());
  }
}
