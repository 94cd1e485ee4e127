/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sparkstencil.jobs.survey.MadeUpSurvey;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import io.sparkstencil.survey.SurveyedDevice;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class SurveyComparisonTest {
  @Test
  void takesThePointsThatBothHave() {
    SurveyResult here = result("GB/s", new Curve("copy", points(1, 2, 4)));
    SurveyResult there =
        result("GB/s", new Curve("copy", points(2, 4, 8)), new Curve("fill", points(1)));

    SurveyComparison.Pair pair = SurveyComparison.of(here, there).charts().get(0);

    assertThat(pair.points())
        .extracting(SurveyComparison.Point::curve, SurveyComparison.Point::x)
        .containsExactly(tuple("copy", 2.0), tuple("copy", 4.0));
  }

  @Test
  void aRatioIsTheFirstOverTheOther() {
    SurveyedDevice device = MadeUpSurvey.device();
    SurveyComparison comparison =
        SurveyComparison.of(MadeUpSurvey.result(device, 0.5), MadeUpSurvey.result(device, 1));

    assertThat(comparison.charts()).hasSize(3);
    assertThat(comparison.charts().get(1).points())
        .isNotEmpty()
        .allSatisfy(point -> assertThat(point.ratio()).isEqualTo(0.5));
  }

  @Test
  void doesNotCompareDifferentUnits() {
    SurveyResult here = result("GB/s", new Curve("copy", points(1)));
    SurveyResult there = result("ms", new Curve("copy", points(1)));

    assertThat(SurveyComparison.of(here, there).charts()).isEmpty();
  }

  @Test
  void devicesOfOneNameAreToldApart() {
    SurveyedDevice device = MadeUpSurvey.device("A", "1", "north", "13.0");

    assertNames(device, MadeUpSurvey.device("B", "2", "north", "13.0"), "A", "B");
    assertNames(
        device, MadeUpSurvey.device("A", "2", "south", "12.4"), "A, CUDA 13.0", "A, CUDA 12.4");
    assertNames(device, MadeUpSurvey.device("A", "2", "south", "13.0"), "A, north", "A, south");
    assertNames(device, device, "A, the first", "A, the other");
  }

  private static void assertNames(
      SurveyedDevice device, SurveyedDevice other, String here, String there) {
    SurveyComparison comparison =
        SurveyComparison.of(
            new SurveyResult("1", device, List.of()), new SurveyResult("1", other, List.of()));
    assertThat(comparison.here()).isEqualTo(here);
    assertThat(comparison.there()).isEqualTo(there);
  }

  private static List<Measured> points(double... at) {
    return DoubleStream.of(at).mapToObj(x -> new Measured(x, x, x, 0, 1, "")).toList();
  }

  private static SurveyResult result(String unit, Curve... curves) {
    SurveyChart chart =
        new SurveyChart(
            "rates",
            "Rates",
            new Axis("x", "", false),
            new Axis("y", unit, false),
            List.of(curves),
            List.of());
    Finding finding = new Finding("banks", List.of(chart), List.of(), "", 1);
    return new SurveyResult(
        "1",
        MadeUpSurvey.device(),
        List.of(new AnsweredQuestion(MadeUpSurvey.EXPERIMENTS.get(0), finding)));
  }
}
