/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.survey.Axis;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** What is in the pictures of charts. */
final class SurveyPictureTest {
  private static final String BLUE = "rgb(0,114,178)";

  @Test
  void aPredictionIsDashedAndHasTheColorOfItsCurve() {
    String dashes = "stroke-dasharray=\"7,4\"";
    assertThat(draw(chart(false, 10, 5, Double.NaN))).doesNotContain(dashes).contains(BLUE);

    String picture = draw(chart(false, 10, 5, 11));
    assertThat(groupsWith(picture, dashes)).anyMatch(group -> group.contains(BLUE));
    assertThat(picture).contains("aria-label=\"Rates\"").contains("<title>Rates</title>");
  }

  /** A bar has two ends; each is a line across. */
  @Test
  void aSpreadOfMoreThanThreePercentHasABar() {
    int without = lines(draw(chart(false, 10, 5, Double.NaN, 0.03)));
    int with = lines(draw(chart(false, 10, 5, Double.NaN, 0.2)));

    assertThat(with).isGreaterThan(without);
  }

  static Stream<SurveyChart> awkwardCharts() {
    SurveyChart usual = chart(true, 10, 5, Double.NaN);
    return Stream.of(
        chart(true, 0, 0, Double.NaN), // zeros on logarithmic axes
        chart(true, 7, 7, 7), // one value
        chart(false, Double.NaN, 5, Double.NaN),
        chart(false, 10, 5, Double.NaN, 3.0), // bars that would reach below zero
        new SurveyChart("a", "no curves", usual.x(), usual.y(), List.of(), usual.limits()),
        new SurveyChart(
            "b",
            "one point",
            usual.x(),
            usual.y(),
            List.of(
                new Curve("empty", List.of()),
                new Curve("one", List.of(new Measured(64, 3, 3, 0, 1, "")))),
            List.of()));
  }

  @ParameterizedTest
  @MethodSource("awkwardCharts")
  void everyChartHasAPictureOfFiniteNumbers(SurveyChart chart) {
    assertThat(draw(chart)).contains("<path", "</svg>").doesNotContain("NaN", "Infinity");
  }

  @Test
  void partsOfTwoPicturesHaveDifferentNames() {
    SurveyChart chart = chart(false, 10, 5, 6);
    List<String> names = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      Matcher ids =
          Pattern.compile(" id=\"([^\"]*)\"")
              .matcher(Page.textOf(SurveyPicture.draw(name, chart, Trace.of(chart))));
      while (ids.find()) {
        names.add(ids.group(1));
      }
    }
    assertThat(names).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void aLogarithmicAxisHasItsTicksAtPowersOfTwo() {
    Scale scale = Scale.of(new Axis("size", "bytes", true), false, DoubleStream.of(16384, 0x1p32));

    assertThat(scale.place(1 << 20)).isEqualTo(20);
    assertThat(scale.label(20)).isEqualTo("1 MiB");
    assertThat(scale.least()).isBetween(13.0, 14.0);
    assertThat(scale.greatest()).isBetween(32.0, 33.0);
    assertThat(scale.label(19.5)).isEqualTo(scale.label(20)); // no tick of its own
  }

  @Test
  void aNarrowLogarithmicAxisReachesTheNextPowers() {
    Scale scale = Scale.of(new Axis("rate", "GB/s", true), true, DoubleStream.of(70, 90));

    assertThat(scale.least()).isBetween(5.9, 6.0);
    assertThat(scale.greatest()).isBetween(7.0, 7.1);
  }

  @Test
  void whatIsNoPowerOfTwoHasItsTicksAtPowersOfTen() {
    Scale scale = Scale.of(new Axis("time", "ms", true), true, DoubleStream.of(0.0002, 0.3));

    assertThat(scale.label(-2)).isEqualTo("0.01");
    assertThat(scale.label(-5)).isEqualTo("1e-05");
    assertThat(scale.place(0.001)).isEqualTo(-3, within(1e-12));
    assertThat(scale.least()).isBetween(-4.0, -3.0);
  }

  @Test
  void aNumberOfThingsHasNoTicksBetween() {
    Scale whole = Scale.of(new Axis("form", "", false), false, DoubleStream.of(1, 2, 6));
    Scale broken = Scale.of(new Axis("window", "MB", false), false, DoubleStream.of(1, 2.5));

    assertThat(whole.label(1.5)).isEqualTo(whole.label(2));
    assertThat(whole.label(-0.2)).isEqualTo("0");
    assertThat(broken.label(1.5)).isEqualTo("1.5");
    assertThat(broken.label(0.1 + 0.2)).isEqualTo("0.3");
  }

  /** The name of a limit stands at the height of its line, which ends beside it. */
  @Test
  void theNameOfALimitIsAtItsLine() {
    SurveyChart chart =
        new SurveyChart(
            "sums",
            "Sums",
            new Axis("cells", "", true),
            new Axis("outputs", "1e9/s", true),
            List.of(
                new Curve(
                    "plain",
                    List.of(
                        new Measured(1, 0.016, 0.01, 0, 15, ""),
                        new Measured(33, 0.016, 0.0002, 0, 15, "")))),
            List.of(new Limit("copy", 0.0164)));
    List<double[]> lines =
        Pattern.compile("<line ([^>]*)/>")
            .matcher(draw(chart))
            .results()
            .map(each -> ends(each.group(1)))
            .toList();

    double[] leader = lines.get(lines.size() - 1);
    assertThat(lines.subList(0, lines.size() - 1))
        .anyMatch(line -> Math.abs(line[1] - leader[1]) < 2 && Math.abs(line[2] - leader[0]) < 12);
  }

  private static double[] ends(String line) {
    return Stream.of("x1", "y1", "x2", "y2")
        .mapToDouble(
            name -> Double.parseDouble(line.replaceAll(".*" + name + "=\"([^\"]*)\".*", "$1")))
        .toArray();
  }

  @Test
  void anEvenAxisOfRatesBeginsAtZero() {
    Scale rates = Scale.of(new Axis("rate", "GB/s", false), true, DoubleStream.of(70, 90));
    Scale places = Scale.of(new Axis("offset", "words", false), false, DoubleStream.of(1, 33));

    assertThat(rates.least()).isZero();
    assertThat(rates.greatest()).isBetween(90.0, 100.0);
    assertThat(places.least()).isNegative();
  }

  @Test
  void limitsFarAboveAllMeasurementsHaveNoLine() {
    SurveyChart even =
        new SurveyChart(
            "a",
            "Link",
            new Axis("size", "bytes", true),
            new Axis("rate", "GB/s", false),
            List.of(),
            List.of(new Limit("copy", 4000), new Limit("link", 55)));
    LimitNames names = LimitNames.of(even, 50);

    assertThat(names.shown()).extracting(Limit::name).containsExactly("link");
    assertThat(names.above()).extracting(Limit::name).containsExactly("copy");
  }

  private static SurveyChart chart(boolean logarithmic, double y, double other, double predicted) {
    return chart(logarithmic, y, other, predicted, 0);
  }

  private static SurveyChart chart(
      boolean logarithmic, double y, double other, double predicted, double spread) {
    Measured[] points = new Measured[6];
    Arrays.setAll(points, i -> new Measured(i, i % 2 == 0 ? y : other, predicted, spread, 15, ""));
    return new SurveyChart(
        "rates",
        "Rates",
        new Axis("offset", "words", logarithmic),
        new Axis("rate", "GB/s", logarithmic),
        List.of(new Curve("copy", List.of(points))),
        List.of(new Limit("fastest copy", 12), new Limit("peak of the data sheet", 12.1)));
  }

  private static String draw(SurveyChart chart) {
    Element picture = SurveyPicture.draw("p", chart, Trace.of(chart));
    return Page.textOf(picture);
  }

  private static List<String> groupsWith(String picture, String attribute) {
    return Pattern.compile("<g [^>]*>")
        .matcher(picture)
        .results()
        .map(each -> each.group())
        .filter(group -> group.contains(attribute))
        .toList();
  }

  private static int lines(String picture) {
    return picture.split("<line ", -1).length;
  }
}
