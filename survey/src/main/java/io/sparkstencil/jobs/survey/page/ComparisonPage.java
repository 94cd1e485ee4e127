/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.jobs.survey.result.WholeFile;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.SurveyChart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/** The page of a comparison: facts of both devices, then charts of both, with their ratios. */
public final class ComparisonPage {
  private ComparisonPage() {}

  /** Writes the page. */
  public static void write(SurveyResult here, SurveyResult there, Path file) throws IOException {
    WholeFile.write(file, text(here, there));
  }

  private static String text(SurveyResult here, SurveyResult there) {
    SurveyComparison comparison = SurveyComparison.of(here, there);
    Page page = new Page("%s and %s".formatted(comparison.here(), comparison.there()));
    Element facts =
        page.addTable(
            page.add("div", ""), List.of("Device", comparison.here(), comparison.there()));
    Map<String, String> others = DeviceFacts.of(there.device(), there.version());
    DeviceFacts.of(here.device(), here.version())
        .forEach((name, value) -> page.addRow(facts, List.of(name, value, others.get(name))));
    page.add(
        "p",
        "Solid lines and filled marks are %s; thin lines and hollow marks are %s. Ratios are the first over the other."
            .formatted(comparison.here(), comparison.there()));
    for (SurveyComparison.Pair pair : comparison.charts()) {
      section(page, comparison, pair);
    }
    return page.text();
  }

  private static void section(Page page, SurveyComparison comparison, SurveyComparison.Pair pair) {
    Element section = page.add("section", "");
    section.setAttribute("class", "experiment");
    page.add(section, "h2", pair.experiment().title());
    page.add(section, "p", "question", pair.experiment().question());
    String name = pair.experiment().name() + "-" + pair.here().name();
    page.addPicture(section, SurveyPicture.draw(name, overlaid(pair), traces(comparison, pair)));
    Axis x = pair.here().x();
    Axis y = pair.here().y();
    Element table =
        page.addTable(
            section,
            List.of("curve", Figures.title(x), comparison.here(), comparison.there(), "ratio"));
    ((Element) table.getParentNode()).setAttribute("class", "numbers");
    for (SurveyComparison.Point point : pair.points()) {
      page.addRow(
          table,
          List.of(
              point.curve(),
              Figures.of(x, point.x()),
              Figures.withUnit(point.here(), y.unit()),
              Figures.withUnit(point.there(), y.unit()),
              Figures.plain(point.ratio())));
    }
  }

  /** The limits of two devices would be told apart by nothing: none is drawn. */
  private static SurveyChart overlaid(SurveyComparison.Pair pair) {
    SurveyChart here = pair.here();
    return new SurveyChart(here.name(), here.title(), here.x(), here.y(), here.curves(), List.of());
  }

  private static List<Trace> traces(SurveyComparison comparison, SurveyComparison.Pair pair) {
    List<Trace> traces = new ArrayList<>();
    List<Curve> curves = pair.here().curves();
    for (int i = 0; i < curves.size(); i++) {
      Curve curve = curves.get(i);
      traces.add(new Trace(named(curve, comparison.here()), i, false, false));
      for (Curve other : pair.there().curves()) {
        if (other.name().equals(curve.name())) {
          traces.add(new Trace(named(other, comparison.there()), i, true, false));
        }
      }
    }
    return traces;
  }

  private static Curve named(Curve curve, String device) {
    return new Curve("%s: %s".formatted(curve.name(), device), curve.points());
  }
}
