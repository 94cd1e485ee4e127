/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.AnsweredQuestion;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.Curve;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import io.sparkstencil.survey.SurveyedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Two surveys side by side: the charts that both have, and of these the curves and points.
 *
 * @param here the name of the first device
 * @param there the name of the other, which differs
 * @param charts the charts that both have, in the order of the first
 */
public record SurveyComparison(String here, String there, List<Pair> charts) {
  /**
   * A chart of both.
   *
   * @param experiment what was asked
   * @param here the first survey's
   * @param there the other's
   * @param points those that both have
   */
  public record Pair(
      Experiment experiment, SurveyChart here, SurveyChart there, List<Point> points) {}

  /**
   * A measurement of both.
   *
   * @param curve the name of its curve
   * @param x where
   * @param here the first survey's value
   * @param there the other's
   */
  public record Point(String curve, double x, double here, double there) {
    /** Returns the first value over the other. */
    public double ratio() {
      return here / there;
    }
  }

  /** Compares two surveys. */
  public static SurveyComparison of(SurveyResult here, SurveyResult there) {
    List<Pair> pairs = new ArrayList<>();
    for (AnsweredQuestion answer : here.answers()) {
      Optional<AnsweredQuestion> other = there.answer(answer.experiment().name());
      if (other.isPresent()) {
        pairs(answer, other.get(), pairs);
      }
    }
    String remark = difference(here.device(), there.device(), "the first");
    String otherRemark = difference(there.device(), here.device(), "the other");
    return new SurveyComparison(
        here.device().name() + remark, there.device().name() + otherRemark, List.copyOf(pairs));
  }

  /** Returns what tells a device from one of the same name. */
  private static String difference(SurveyedDevice device, SurveyedDevice other, String otherwise) {
    if (!device.name().equals(other.name())) {
      return "";
    }
    if (!device.driver().equals(other.driver())) {
      return ", CUDA " + device.driver();
    }
    if (!device.host().equals(other.host())) {
      return ", " + device.host();
    }
    return ", " + (device.busId().equals(other.busId()) ? otherwise : device.busId());
  }

  private static void pairs(AnsweredQuestion here, AnsweredQuestion there, List<Pair> pairs) {
    for (SurveyChart chart : here.finding().charts()) {
      find(there.finding().charts(), each -> each.name().equals(chart.name()))
          .filter(each -> each.y().unit().equals(chart.y().unit()))
          .ifPresent(
              each -> pairs.add(new Pair(here.experiment(), chart, each, points(chart, each))));
    }
  }

  private static List<Point> points(SurveyChart here, SurveyChart there) {
    List<Point> points = new ArrayList<>();
    for (Curve curve : here.curves()) {
      Optional<Curve> other =
          find(there.curves(), candidate -> candidate.name().equals(curve.name()));
      for (Measured point : curve.points()) {
        other
            .flatMap(each -> find(each.points(), candidate -> candidate.x() == point.x()))
            .ifPresent(each -> points.add(new Point(curve.name(), point.x(), point.y(), each.y())));
      }
    }
    return List.copyOf(points);
  }

  private static <T> Optional<T> find(List<T> among, Predicate<T> wanted) {
    return among.stream().filter(wanted).findFirst();
  }
}
