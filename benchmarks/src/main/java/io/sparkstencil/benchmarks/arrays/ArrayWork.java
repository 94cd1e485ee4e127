/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.loops.PlainLoops;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Functions over an array column, as a query and as plain loops.
 *
 * @param function {@code mean}, {@code min}, {@code mean+max}, {@code weighted} or {@code iterate}
 * @param size the radius, or for {@code iterate} the steps of a heat equation on a ring
 */
record ArrayWork(String function, int size) {
  private static final String MEAN_AND_MAX = "mean+max";
  private static final String ITERATE = "iterate";
  private static final double SIDE_WEIGHT = 0.25;
  private static final double MIDDLE_WEIGHT = 0.5;

  /** Returns the name of the row for cells of {@code type}. */
  String name(ElementType type) {
    return "arrays/%s/%s/%s=%d"
        .formatted(
            function, type.name().toLowerCase(Locale.ROOT), isIterated() ? "steps" : "k", size);
  }

  boolean isMean() {
    return function.equals("mean");
  }

  /** Tells whether a stencil is applied to its own results, so that each cell counts so often. */
  boolean isIterated() {
    return function.equals(ITERATE);
  }

  /** Returns the query, whose results are columns {@code r} and, of two functions, {@code x}. */
  String sql() {
    return switch (function) {
      case MEAN_AND_MAX ->
          "SELECT id, stencil_mean(a, %1$d, 'valid') AS r, stencil_max(a, %1$d, 'valid') AS x FROM traces"
              .formatted(size);
      case "weighted" ->
          "SELECT stencil_correlate(a, array(%s), 'valid') AS r FROM traces"
              .formatted(
                  IntStream.rangeClosed(0, 2 * size)
                      .mapToObj(tap -> weight(tap) + "D")
                      .collect(Collectors.joining(", ")));
      case ITERATE ->
          "SELECT stencil_iterate(a, array(%1$sD, %2$sD, %1$sD), %3$d, 'wrap') AS r FROM traces"
              .formatted(SIDE_WEIGHT, MIDDLE_WEIGHT, size);
      default -> "SELECT stencil_%s(a, %d, 'valid') AS r FROM traces".formatted(function, size);
    };
  }

  /** Returns a weight that floats hold exactly. */
  private static double weight(int tap) {
    return (tap % 7 - 3) / 8.0;
  }

  /** Returns the columns of results. */
  List<String> columns() {
    return function.equals(MEAN_AND_MAX) ? List.of("r", "x") : List.of("r");
  }

  /** Returns what {@code column} should be for {@code cells} of {@code type}. */
  List<Double> expected(String column, double[] cells, ElementType type) {
    double[] results = cells;
    if (isIterated()) {
      double[] weights = {SIDE_WEIGHT, MIDDLE_WEIGHT, SIDE_WEIGHT};
      for (int step = 0; step < size; step++) {
        double[] ring = new double[results.length + 2];
        System.arraycopy(results, 0, ring, 1, results.length);
        ring[0] = results[results.length - 1];
        ring[ring.length - 1] = results[0];
        results = filtered(Reduction.WEIGHTED_SUM, weights, ring, type);
      }
    } else {
      double[] weights =
          IntStream.rangeClosed(0, 2 * size).mapToDouble(ArrayWork::weight).toArray();
      results = filtered(reduction(column), weights, cells, type);
    }
    return DoubleStream.of(results).boxed().toList();
  }

  private Reduction reduction(String column) {
    return switch (function) {
      case "min" -> Reduction.MIN;
      case "weighted" -> Reduction.WEIGHTED_SUM;
      default -> column.equals("x") ? Reduction.MAX : Reduction.MEAN;
    };
  }

  private static double[] filtered(
      Reduction reduction, double[] weights, double[] cells, ElementType type) {
    if (type == ElementType.F64) {
      return PlainLoops.apply(reduction, weights, cells);
    }
    float[] results = PlainLoops.apply(reduction, narrow(weights), narrow(cells));
    return IntStream.range(0, results.length).mapToDouble(i -> results[i]).toArray();
  }

  private static float[] narrow(double[] values) {
    float[] narrow = new float[values.length];
    for (int i = 0; i < narrow.length; i++) {
      narrow[i] = (float) values[i];
    }
    return narrow;
  }
}
