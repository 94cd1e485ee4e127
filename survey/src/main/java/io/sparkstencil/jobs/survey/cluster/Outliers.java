/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.jobs.survey.result.SurveyResult;
import io.sparkstencil.survey.SurveyedDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the devices that fall out of line among those of the same name, their siblings. A curve is
 * one figure for each device: the median, over the curve, of its speed relative to that of the
 * siblings.
 */
final class Outliers {
  /** By how much a device may always be slower. */
  private static final double LEAST_SHARE = 0.05;

  /** How many of the siblings' median deviations it may be slower. */
  private static final double DEVIATIONS = 3;

  /** Half the rate, and a little. */
  private static final double NARROW = 0.6;

  private Outliers() {}

  /** Returns the outliers among devices, by device in the order given. */
  static List<Outlier> of(List<SurveyResult> results) {
    List<Outlier> found = new ArrayList<>();
    for (List<SurveyResult> siblings : families(results)) {
      speeds(siblings).forEach((key, values) -> found.addAll(slow(siblings, key, values)));
    }
    found.addAll(drivers(results));
    List<SurveyedDevice> order = results.stream().map(SurveyResult::device).toList();
    found.sort(Comparator.comparingInt(outlier -> order.indexOf(outlier.device())));
    return found;
  }

  /**
   * Returns how fast each device is beside its siblings: 1 is the median; NaN where there is
   * nothing to compare.
   */
  static Map<SurveyedDevice, Double> relativeSpeeds(List<SurveyResult> results) {
    Map<SurveyedDevice, Double> speeds = new LinkedHashMap<>();
    for (List<SurveyResult> siblings : families(results)) {
      Collection<double[]> curves = speeds(siblings).values();
      for (int i = 0; i < siblings.size(); i++) {
        int device = i;
        double[] ofDevice = curves.stream().mapToDouble(values -> values[device]).toArray();
        speeds.put(siblings.get(i).device(), Figures.median(ofDevice));
      }
    }
    return speeds;
  }

  private static Collection<List<SurveyResult>> families(List<SurveyResult> results) {
    return results.stream()
        .collect(
            Collectors.groupingBy(
                each -> each.device().name(), LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** Returns one number for each device and everything that all siblings have measured. */
  private static Map<SpeedKey, double[]> speeds(List<SurveyResult> siblings) {
    List<Map<SpeedKey, Map<Double, Double>>> all = siblings.stream().map(SpeedKey::speeds).toList();
    Map<SpeedKey, double[]> speeds = new LinkedHashMap<>();
    for (SpeedKey key : all.get(0).keySet()) {
      List<Map<Double, Double>> curves =
          all.stream().map(each -> each.get(key)).filter(Objects::nonNull).toList();
      if (curves.size() == siblings.size()) {
        List<Double> places =
            curves.get(0).keySet().stream()
                .filter(place -> curves.stream().allMatch(curve -> curve.containsKey(place)))
                .toList();
        if (!places.isEmpty()) {
          speeds.put(key, relative(curves, places));
        }
      }
    }
    return speeds;
  }

  private static double[] relative(List<Map<Double, Double>> curves, List<Double> places) {
    double[][] shares = new double[curves.size()][places.size()];
    for (int at = 0; at < places.size(); at++) {
      Double place = places.get(at);
      double median = Figures.median(curves.stream().mapToDouble(c -> c.get(place)).toArray());
      for (int i = 0; i < shares.length; i++) {
        shares[i][at] = curves.get(i).get(place) / median;
      }
    }
    return IntStream.range(0, shares.length).mapToDouble(i -> Figures.median(shares[i])).toArray();
  }

  private static List<Outlier> slow(List<SurveyResult> siblings, SpeedKey key, double[] speeds) {
    double median = Figures.median(speeds);
    double[] deviations = new double[speeds.length];
    for (int i = 0; i < speeds.length; i++) {
      deviations[i] = Math.abs(speeds[i] - median);
    }
    double least = median - Math.max(LEAST_SHARE * median, DEVIATIONS * Figures.median(deviations));
    List<Outlier> found = new ArrayList<>();
    for (int i = 0; i < speeds.length; i++) {
      double ofOthers = speeds[i] / medianOfOthers(speeds, i);
      boolean narrow = key.link() && ofOthers < NARROW;
      if (narrow || speeds[i] < least) {
        found.add(
            new Outlier(
                siblings.get(i).device(),
                narrow ? Outlier.Difference.NARROW_LINK : Outlier.Difference.SLOW,
                "%s: %s times the speed of its siblings"
                    .formatted(key.name(), Figures.plain(ofOthers))));
      }
    }
    return found;
  }

  /** Of two devices, each is as far from their common median as the other. */
  private static double medianOfOthers(double[] speeds, int device) {
    return Figures.median(
        IntStream.range(0, speeds.length)
            .filter(i -> i != device)
            .mapToDouble(i -> speeds[i])
            .toArray());
  }

  private static List<Outlier> drivers(List<SurveyResult> results) {
    Map<String, Long> counts =
        results.stream()
            .collect(Collectors.groupingBy(each -> each.device().driver(), Collectors.counting()));
    Comparator<String> byCount = Comparator.comparing(counts::get);
    String usual = counts.keySet().stream().max(byCount.thenComparing(driver -> driver)).orElse("");
    return results.stream()
        .map(SurveyResult::device)
        .filter(device -> !device.driver().equals(usual))
        .map(
            device ->
                new Outlier(
                    device,
                    Outlier.Difference.DRIVER,
                    "driver of CUDA %s; most have %s".formatted(device.driver(), usual)))
        .toList();
  }
}
