/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sparkstencil.jobs.survey.MadeUpSurvey;
import io.sparkstencil.jobs.survey.cluster.Outlier.Difference;
import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which devices fall out of line, by rule. */
final class OutliersTest {
  @Test
  void devicesThatDifferByLessThanFivePercentAreNone() {
    assertThat(Outliers.of(rates("GB/s", "copy", 100, 98, 101, 96, 100))).isEmpty();
  }

  @Test
  void aDeviceSlowerThanItsSiblingsByMoreThanFivePercentIsOne() {
    List<Outlier> found = Outliers.of(rates("GB/s", "copy", 100, 101, 90, 100, 100));

    assertThat(found).extracting(Outlier::kind).containsExactly(Difference.SLOW);
    assertThat(found.get(0).device().uuid()).isEqualTo("GPU-2");
    assertThat(found.get(0).text())
        .isEqualTo("banks, rates: copy: 0.900 times the speed of its siblings");
  }

  @Test
  void aFasterDeviceIsNone() {
    assertThat(Outliers.of(rates("GB/s", "copy", 100, 100, 150, 100))).isEmpty();
  }

  /** The median deviation of these is 10: a device has to be slower by 30. */
  @Test
  void whereSiblingsDifferMuchADeviceMayBeSlower() {
    assertThat(Outliers.of(rates("GB/s", "copy", 100, 110, 90, 110, 90, 75))).isEmpty();
    assertThat(Outliers.of(rates("GB/s", "copy", 100, 110, 90, 110, 90, 60))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ms", "ns", "cycles", "clocks per access", "µs"})
  void ofTimesTheLongerIsTheSlower(String unit) {
    List<Outlier> found = Outliers.of(rates(unit, "chase", 100, 100, 100, 150));

    assertThat(found).extracting(each -> each.device().uuid()).containsExactly("GPU-3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GB/s", "bytes per clock", "G cells/s", "requests/clock"})
  void ofRatesTheLowerIsTheSlower(String unit) {
    List<Outlier> found = Outliers.of(rates(unit, "copy", 100, 100, 100, 50));

    assertThat(found).extracting(each -> each.device().uuid()).containsExactly("GPU-3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "times", "bytes"})
  void whatIsNoSpeedIsNotCompared(String unit) {
    assertThat(Outliers.of(rates(unit, "share", 100, 100, 100, 1))).isEmpty();
  }

  @Test
  void aLinkOfHalfTheRateIsNarrowAmongTwoToo() {
    List<Outlier> found = Outliers.of(rates("GB/s", "link to the device", 55, 27));

    assertThat(found).extracting(Outlier::kind).containsExactly(Difference.NARROW_LINK);
    assertThat(found.get(0).device().uuid()).isEqualTo("GPU-1");
    assertThat(Outliers.of(rates("GB/s", "link to the device", 55, 36))).isEmpty();
    assertThat(Outliers.of(rates("GB/s", "copy", 55, 27))).isEmpty();
  }

  @Test
  void aLimitCountsAsACurve() {
    List<SurveyResult> results = new ArrayList<>();
    for (double link : new double[] {55, 55, 27}) {
      results.add(result("A", results.size(), "13.0", "GB/s", "copy", 1, link));
    }

    assertThat(Outliers.of(results))
        .extracting(Outlier::kind, Outlier::text)
        .containsExactly(
            tuple(Difference.NARROW_LINK, "limit link: 0.491 times the speed of its siblings"));
  }

  @Test
  void devicesOfOtherNamesAreNoSiblings() {
    List<SurveyResult> results =
        Stream.of("A", "B", "A", "A")
            .map(name -> result(name, name.hashCode(), "13.0", "GB/s", "copy", 10, 1))
            .toList();
    List<SurveyResult> mixed = new ArrayList<>(results);
    mixed.set(1, result("B", 9, "13.0", "GB/s", "copy", 1, 1));

    assertThat(Outliers.of(mixed)).isEmpty();
    assertThat(Outliers.relativeSpeeds(mixed).values()).containsOnly(1.0);
  }

  @Test
  void aDriverThatMostDoNotHaveIsOne() {
    List<SurveyResult> results = new ArrayList<>();
    for (String driver : List.of("13.0", "12.4", "13.0")) {
      results.add(result("A", results.size(), driver, "GB/s", "copy", 1, 1));
    }

    assertThat(Outliers.of(results))
        .extracting(Outlier::kind, Outlier::text)
        .containsExactly(tuple(Difference.DRIVER, "driver of CUDA 12.4; most have 13.0"));
  }

  @Test
  void aSingleDeviceIsNone() {
    assertThat(Outliers.of(rates("GB/s", "link", 3))).isEmpty();
    assertThat(Outliers.of(List.of())).isEmpty();
  }

  private static List<SurveyResult> rates(String unit, String curve, double... rates) {
    List<SurveyResult> results = new ArrayList<>();
    for (double rate : rates) {
      results.add(result("A", results.size(), "13.0", unit, curve, rate, 1));
    }
    return results;
  }

  private static SurveyResult result(
      String name, int number, String driver, String unit, String curve, double y, double link) {
    List<Measured> points =
        Stream.of(1.0, 2.0, 3.0).map(x -> new Measured(x, x * y, y, 0, 15, "")).toList();
    SurveyChart chart =
        new SurveyChart(
            "rates",
            "Rates",
            new Axis("size", "bytes", true),
            new Axis("result", unit, false),
            List.of(new Curve(curve, points)),
            List.of(new Limit("link", link)));
    Finding finding = new Finding("banks", List.of(chart), List.of(), "", 1);
    return new SurveyResult(
        "1",
        MadeUpSurvey.device(name, "GPU-" + number, "north", driver),
        List.of(new AnsweredQuestion(MadeUpSurvey.EXPERIMENTS.get(0), finding)));
  }
}
