/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyFile;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.jobs.survey.result.WholeFile;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.SurveyChart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * The files of a survey in a folder. Each is whole at any time; the one that a later run reads
 * comes first. Not thread-safe.
 */
public final class SurveyFiles {
  private final Path folder;
  private final Map<String, Element> pictures = new HashMap<>(); // each is drawn once

  /** Creates the files; writes nothing. */
  public SurveyFiles(Path folder) {
    this.folder = folder;
  }

  /** Returns where they are. */
  public Path folder() {
    return folder;
  }

  /** Returns the file that a later run reads. */
  public Path json() {
    return folder.resolve("survey.json");
  }

  /** Returns the page. */
  public Path page() {
    return folder.resolve("survey.html");
  }

  /** Writes the figures, and the page and its pictures where this JVM can draw. */
  public void write(SurveyResult result) throws IOException {
    WholeFile.write(json(), SurveyFile.text(result));
    WholeFile.write(folder.resolve("survey.md"), SurveyText.of(result));
    if (Fonts.missingBecause().isEmpty()) {
      for (AnsweredQuestion answer : result.answers()) {
        writePictures(answer);
      }
      WholeFile.write(page(), SurveyPage.text(result, this::draw));
    }
  }

  private void writePictures(AnsweredQuestion answer) throws IOException {
    for (SurveyChart chart : answer.finding().charts()) {
      if (!pictures.containsKey(name(answer.experiment(), chart))) { // else it was written before
        WholeFile.write(
            folder.resolve(picture(answer.experiment(), chart)),
            Page.textOf(draw(answer.experiment(), chart)));
      }
    }
  }

  /** Returns what {@link #write} leaves for people: the page, or why there is none. */
  public String written() {
    return Fonts.missingBecause()
        .map(
            reason ->
                "Written to %s, without page and pictures: %s; %s, and run 'bin/stencil survey --draw', which needs no GPU"
                    .formatted(folder, reason, Fonts.REMEDY))
        .orElseGet(() -> "Written to " + page());
  }

  private Element draw(Experiment experiment, SurveyChart chart) {
    return pictures.computeIfAbsent(
        name(experiment, chart), name -> SurveyPicture.draw(name, chart, Trace.of(chart)));
  }

  private static String name(Experiment experiment, SurveyChart chart) {
    return experiment.name() + "-" + chart.name();
  }

  /** Returns the name of a picture's file. */
  static String picture(Experiment experiment, SurveyChart chart) {
    return name(experiment, chart) + ".svg";
  }
}
