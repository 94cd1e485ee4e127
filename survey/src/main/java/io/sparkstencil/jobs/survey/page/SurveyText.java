/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A survey in Markdown: the same as its page, with the pictures beside it and all figures. */
final class SurveyText {
  private SurveyText() {}

  /** Returns the text of a result. */
  static String of(SurveyResult result) {
    Markdown text = new Markdown();
    text.heading(1, "Survey of " + result.device().name());
    text.table(
        List.of("Device", ""),
        DeviceFacts.of(result.device(), result.version()).entrySet().stream()
            .map(each -> List.of(each.getKey(), each.getValue()))
            .toList());
    text.table(
        List.of("Limit", "Value"),
        result.limits().stream()
            .map(
                each ->
                    List.of(each.limit().name(), Figures.withUnit(each.limit().y(), each.unit())))
            .toList());
    List<List<String>> claims =
        result.answers().stream().flatMap(each -> claims(each.finding())).toList();
    if (!claims.isEmpty()) {
      text.heading(2, "What you read, what holds here");
      text.table(List.of("What you read", "Holds", "Here"), claims);
    }
    result.answers().forEach(each -> section(text, each));
    return text.toString();
  }

  private static Stream<List<String>> claims(Finding finding) {
    return finding.claims().stream()
        .map(claim -> List.of(claim.text(), DeviceFacts.word(claim.verdict()), claim.here()));
  }

  private static void section(Markdown text, AnsweredQuestion answer) {
    Experiment experiment = answer.experiment();
    Finding finding = answer.finding();
    text.heading(2, experiment.title());
    text.block("**" + experiment.question() + "**");
    text.block(labelled("How it is measured", experiment.method()));
    text.block(labelled("What the textbooks say", experiment.textbook()));
    for (SurveyChart chart : finding.charts()) {
      text.block("![%s](%s)".formatted(chart.title(), SurveyFiles.picture(experiment, chart)));
      List<List<String>> rows = new ArrayList<>();
      for (Curve curve : chart.curves()) {
        curve.points().forEach(point -> rows.add(SurveyPage.row(chart, curve, point)));
      }
      text.table(SurveyPage.heads(chart), rows);
    }
    text.block(finding.meaning());
    text.block(labelled("What the engine decides by it", experiment.decision()));
  }

  private static String labelled(String label, String text) {
    return text.isEmpty() ? "" : label + ": " + text;
  }
}
