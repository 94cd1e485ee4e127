/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Claim;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.util.List;
import java.util.function.BiFunction;
import org.w3c.dom.Element;

/** The page of a survey: an overview, then a section for each experiment, its question first. */
final class SurveyPage {
  private final SurveyResult result;
  private final BiFunction<Experiment, SurveyChart, Element> pictures;
  private final Page page;

  private SurveyPage(SurveyResult result, BiFunction<Experiment, SurveyChart, Element> pictures) {
    this.result = result;
    this.pictures = pictures;
    this.page = new Page("Survey of " + result.device().name());
  }

  /**
   * Returns the page of a result.
   *
   * @param pictures draws the charts of experiments
   */
  static String text(SurveyResult result, BiFunction<Experiment, SurveyChart, Element> pictures) {
    return new SurveyPage(result, pictures).text();
  }

  private String text() {
    overview();
    result.answers().forEach(this::section);
    return page.text();
  }

  private void overview() {
    Element facts = page.addTable(page.add("div", ""), List.of("Device", ""));
    DeviceFacts.of(result.device(), result.version())
        .forEach((name, value) -> page.addRow(facts, List.of(name, value)));
    if (!result.limits().isEmpty()) {
      Element limits = page.addTable(page.add("div", ""), List.of("Limit", "Value"));
      for (SurveyResult.DeviceLimit each : result.limits()) {
        page.addRow(
            limits, List.of(each.limit().name(), Figures.withUnit(each.limit().y(), each.unit())));
      }
    }
    contents();
    claims();
  }

  private void contents() {
    page.add("h3", "Questions");
    Element list = page.add("ul", "");
    for (AnsweredQuestion answer : result.answers()) {
      Element item = page.add(list, "li", "");
      page.add(item, "a", answer.experiment().question())
          .setAttribute("href", "#" + answer.experiment().name());
    }
  }

  private void claims() {
    boolean any = result.answers().stream().anyMatch(each -> !each.finding().claims().isEmpty());
    if (!any) {
      return;
    }
    page.add("h3", "What you read, what holds here");
    Element table =
        page.addTable(page.add("div", ""), List.of("What you read", "Holds", "Here", "Experiment"));
    for (AnsweredQuestion answer : result.answers()) {
      for (Claim claim : answer.finding().claims()) {
        Element row = page.addRow(table, List.of(claim.text()));
        verdict(row, claim);
        page.add(row, "td", claim.here());
        page.add(page.add(row, "td", ""), "a", answer.experiment().name())
            .setAttribute("href", "#" + answer.experiment().name());
      }
    }
  }

  private void verdict(Element row, Claim claim) {
    String kind = DeviceFacts.word(claim.verdict());
    page.add(row, "td", "verdict " + kind, kind);
  }

  private void section(AnsweredQuestion answer) {
    Experiment experiment = answer.experiment();
    Finding finding = answer.finding();
    Element section = page.add("section", "");
    section.setAttribute("class", "experiment");
    section.setAttribute("id", experiment.name());
    page.add(section, "h2", experiment.title());
    page.add(section, "p", "question", experiment.question());
    labelled(section, "How it is measured: ", experiment.method());
    labelled(section, "What the textbooks say: ", experiment.textbook());
    for (SurveyChart chart : finding.charts()) {
      page.addPicture(section, pictures.apply(experiment, chart));
      figures(section, chart);
    }
    page.add(section, "p", "meaning", finding.meaning());
    if (!finding.claims().isEmpty()) {
      Element table = page.addTable(section, List.of("What you read", "Holds", "Here"));
      for (Claim claim : finding.claims()) {
        Element row = page.addRow(table, List.of(claim.text()));
        verdict(row, claim);
        page.add(row, "td", claim.here());
      }
    }
    labelled(section, "What the engine decides by it: ", experiment.decision());
    page.add(section, "p", "remark", "Measured in %.1f s.".formatted(finding.seconds()));
  }

  private void labelled(Element section, String label, String text) {
    if (text.isEmpty()) {
      return;
    }
    Element paragraph = page.add(section, "p", "");
    page.add(paragraph, "span", "label", label);
    paragraph.appendChild(paragraph.getOwnerDocument().createTextNode(text));
  }

  private void figures(Element section, SurveyChart chart) {
    Element details = page.add(section, "details", "");
    page.add(details, "summary", "Figures: " + chart.title());
    Element scroller = page.add(details, "div", "wide", "");
    Element table = page.addTable(scroller, heads(chart));
    ((Element) table.getParentNode()).setAttribute("class", "numbers");
    for (Curve curve : chart.curves()) {
      for (Measured point : curve.points()) {
        page.addRow(table, row(chart, curve, point));
      }
    }
  }

  /** Returns what stands above a table of measurements. */
  static List<String> heads(SurveyChart chart) {
    return List.of(
        "curve",
        Figures.title(chart.x()),
        Figures.title(chart.y()),
        "predicted",
        "measured / predicted",
        "spread",
        "repeats",
        "note");
  }

  /** Returns what a table says of a measurement. */
  static List<String> row(SurveyChart chart, Curve curve, Measured point) {
    return List.of(
        curve.name(),
        Figures.of(chart.x(), point.x()),
        Figures.of(chart.y(), point.y()),
        Figures.of(chart.y(), point.predicted()),
        Figures.plain(point.ratio()),
        Figures.percent(point.spread()),
        Integer.toString(point.repeats()),
        point.note());
  }
}
