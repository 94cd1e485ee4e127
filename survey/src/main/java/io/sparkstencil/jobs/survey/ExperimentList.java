/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.survey.Experiment;
import java.io.PrintWriter;
import java.util.List;

/** What {@code --list} prints: the experiments and their questions, which need no device. */
final class ExperimentList {
  private static final int WIDTH = 100;
  private static final String INDENT = "    ";

  private ExperimentList() {}

  /**
   * Prints experiments.
   *
   * @param all whether to print what else there is to know of them
   */
  static void print(List<Experiment> experiments, boolean all, PrintWriter out) {
    int width = experiments.stream().mapToInt(each -> each.name().length()).max().orElse(0);
    for (Experiment each : experiments) {
      if (all) {
        out.printf("%s: %s%n", each.name(), each.title());
        paragraph(each.question(), out);
        paragraph("Method: " + each.method(), out);
        paragraph("Textbook: " + each.textbook(), out);
        if (!each.decision().isEmpty()) {
          paragraph("Decides: " + each.decision(), out);
        }
        out.println();
      } else {
        out.printf("%-" + Math.max(1, width) + "s  %s%n", each.name(), each.question());
      }
    }
  }

  private static void paragraph(String text, PrintWriter out) {
    StringBuilder line = new StringBuilder(INDENT);
    for (String word : text.strip().split("\\s+")) {
      if (line.length() > INDENT.length() && line.length() + 1 + word.length() > WIDTH) {
        out.println(line);
        line.setLength(INDENT.length());
      }
      line.append(line.length() > INDENT.length() ? " " : "").append(word);
    }
    out.println(line);
  }
}
