/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.jobs.survey.result.SurveyResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The surveys of a cluster.
 *
 * @param results one for each device, by host and place in the host
 * @param failures what could not be surveyed, a line each
 */
public record ClusterFindings(List<SurveyResult> results, List<String> failures) {
  private static final Comparator<SurveyResult> BY_PLACE =
      Comparator.comparing((SurveyResult each) -> each.device().host())
          .thenComparing(each -> each.device().busId())
          .thenComparing(each -> each.device().uuid());

  /** Copies the lists. */
  public ClusterFindings {
    results = results.stream().sorted(BY_PLACE).toList();
    failures = List.copyOf(failures);
  }

  /** Returns what tasks have said; a device that two have surveyed counts once. */
  static ClusterFindings of(List<DeviceAnswer> outcomes) {
    Map<String, SurveyResult> byDevice = new LinkedHashMap<>();
    for (DeviceAnswer outcome : outcomes) {
      outcome
          .result()
          .ifPresent(
              result -> {
                byDevice.putIfAbsent(result.device().uuid(), result);
              });
    }
    List<String> failures =
        outcomes.stream()
            .filter(outcome -> outcome.failure() != null)
            .map(
                outcome ->
                    "%s%s: %s"
                        .formatted(
                            outcome.host(),
                            outcome.address().isEmpty() ? "" : ", device " + outcome.address(),
                            outcome.failure()))
            .distinct()
            .sorted()
            .toList();
    return new ClusterFindings(List.copyOf(byDevice.values()), failures);
  }
}
