/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
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
    return isIterated() ? iterated(cells, type) : filtered(column.equals("x"), cells, type);
  }

  private List<Double> filtered(boolean greatest, double[] cells, ElementType type) {
    List<Double> results = new ArrayList<>();
    int width = 2 * size + 1;
    for (int i = 0; i + width <= cells.length; i++) {
      double sum = 0;
      double least = Double.POSITIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      for (int tap = 0; tap < width; tap++) {
        double cell = cells[i + tap];
        boolean weighted = function.equals("weighted");
        sum = rounded(sum + (weighted ? rounded(weight(tap) * cell, type) : cell), type);
        least = Math.min(least, cell);
        most = Math.max(most, cell);
      }
      results.add(
          switch (function) {
            case "min" -> least;
            case "weighted" -> sum;
            default -> greatest ? most : rounded(sum / width, type);
          });
    }
    return results;
  }

  private List<Double> iterated(double[] cells, ElementType type) {
    double[] now = cells.clone();
    double[] next = new double[now.length];
    int last = now.length - 1;
    for (int step = 0; step < size; step++) {
      for (int i = 0; i <= last; i++) {
        double left = rounded(SIDE_WEIGHT * now[i == 0 ? last : i - 1], type);
        double sum = rounded(left + rounded(MIDDLE_WEIGHT * now[i], type), type);
        next[i] = rounded(sum + rounded(SIDE_WEIGHT * now[i == last ? 0 : i + 1], type), type);
      }
      double[] free = now;
      now = next;
      next = free;
    }
    return DoubleStream.of(now).boxed().toList();
  }

  /**
   * A sum, product or quotient of two floats in double, rounded to float, is the float operation's
   * result.
   */
  private static double rounded(double value, ElementType type) {
    return type == ElementType.F32 ? (float) value : value;
  }
}
