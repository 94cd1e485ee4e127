/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What devices are compared by: a curve of a chart, or a limit.
 *
 * @param name for people
 * @param link whether it is a rate of the link to the host
 */
record SpeedKey(String name, boolean link) {
  /** Units of times; a rate has a time below a stroke, or counts per clock. */
  private static final Pattern TIME = Pattern.compile("([nmuµ]?s|seconds|cycles?|clocks?)\\b.*");

  private static final Pattern RATE = Pattern.compile(".*(/|\\bper )(s|second|clock|cycle)\\b.*");

  /**
   * Returns the speeds of a device by the places where they were measured: rates, or what times are
   * the inverse of. What is neither, such as a share, is left out.
   */
  static Map<SpeedKey, Map<Double, Double>> speeds(SurveyResult result) {
    Map<SpeedKey, Map<Double, Double>> speeds = new LinkedHashMap<>();
    for (AnsweredQuestion answer : result.answers()) {
      for (SurveyChart chart : answer.finding().charts()) {
        String experiment = answer.experiment().name();
        chart.curves().forEach(curve -> add(speeds, experiment, chart, curve));
        chart.limits().forEach(limit -> add(speeds, chart, limit));
      }
    }
    return speeds;
  }

  private static void add(
      Map<SpeedKey, Map<Double, Double>> speeds,
      String experiment,
      SurveyChart chart,
      Curve curve) {
    Map<Double, Double> byPlace = new LinkedHashMap<>();
    for (Measured point : curve.points()) {
      double speed = speed(chart, point.y());
      if (speed > 0 && Double.isFinite(speed)) {
        byPlace.put(point.x(), speed);
      }
    }
    if (!byPlace.isEmpty()) {
      String name = "%s, %s: %s".formatted(experiment, chart.name(), curve.name());
      boolean link = isLink(chart.name()) || isLink(chart.title()) || isLink(curve.name());
      speeds.put(new SpeedKey(name, link), byPlace);
    }
  }

  private static void add(
      Map<SpeedKey, Map<Double, Double>> speeds, SurveyChart chart, Limit limit) {
    double speed = speed(chart, limit.y());
    if (speed > 0 && Double.isFinite(speed)) {
      SpeedKey key = new SpeedKey("limit " + limit.name(), isLink(limit.name()));
      speeds.putIfAbsent(key, Map.of(0.0, speed));
    }
  }

  private static double speed(SurveyChart chart, double y) {
    String unit = chart.y().unit();
    if (RATE.matcher(unit).matches()) {
      return y;
    }
    return TIME.matcher(unit).matches() ? 1 / y : Double.NaN;
  }

  private static boolean isLink(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.matches(".*\\blinks?\\b.*")
        || lower.contains("host to device")
        || lower.contains("device to host");
  }
}
