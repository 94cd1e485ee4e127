/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.jobs.survey.page.SurveyComparison;
import io.sparkstencil.jobs.survey.result.Figures;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code --compare} prints: a line for each curve that two surveys have in common. */
final class ComparisonTable {
  private ComparisonTable() {}

  static void print(SurveyComparison comparison, PrintWriter out) {
    out.printf("%s over %s%n", comparison.here(), comparison.there());
    out.printf("%8s %8s %8s %7s  %s%n", "least", "median", "greatest", "points", "curve");
    for (SurveyComparison.Pair pair : comparison.charts()) {
      Map<String, List<Double>> ratios =
          pair.points().stream()
              .collect(
                  Collectors.groupingBy(
                      SurveyComparison.Point::curve,
                      LinkedHashMap::new,
                      Collectors.mapping(SurveyComparison.Point::ratio, Collectors.toList())));
      ratios.forEach(
          (curve, found) ->
              out.println(
                  row(found)
                      + "  %s, %s: %s"
                          .formatted(pair.experiment().name(), pair.here().name(), curve)));
    }
  }

  private static String row(List<Double> ratios) {
    double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return "%8s %8s %8s %7d"
        .formatted(
            Figures.plain(sorted[0]),
            Figures.plain(Figures.median(sorted)),
            Figures.plain(sorted[sorted.length - 1]),
            sorted.length);
  }
}
