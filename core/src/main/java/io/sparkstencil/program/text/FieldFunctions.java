/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.text;

import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.generate.Focal;
import io.sparkstencil.program.generate.ImageFilters;
import io.sparkstencil.program.generate.Terrain;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The functions of program texts that take a field and numbers: those of rasters. */
final class FieldFunctions {
  private static final String RADIUS = "the cells on each side, 0 or more";

  /**
   * A function.
   *
   * @param least how many numbers it takes at least
   * @param most how many it takes at most
   * @param numbers what they are, for messages
   * @param of makes the expression
   */
  private record RasterFunction(
      int least, int most, String numbers, BiFunction<Field, double[], Expression> of) {}

  private static final TreeMap<String, RasterFunction> ALL = new TreeMap<>();

  static {
    ALL.put("focal_mean", summary(Focal::mean));
    ALL.put("focal_sum", summary(Focal::sum));
    ALL.put("focal_stddev", summary(Focal::deviation));
    ALL.put("focal_min", summary(Focal::least));
    ALL.put("focal_max", summary(Focal::greatest));
    ALL.put("focal_median", summary(Focal::median));
    ALL.put(
        "focal_gaussian",
        new RasterFunction(
            1, 1, "the standard deviation in cells", (u, n) -> Focal.gaussian(u, n[0])));
    ALL.put("sobel", new RasterFunction(0, 0, "nothing", (u, n) -> ImageFilters.sobelMagnitude(u)));
    ALL.put(
        "slope",
        new RasterFunction(0, 2, distances(""), (u, n) -> Terrain.slope(u, at(n, 0), columns(n))));
    ALL.put(
        "aspect",
        new RasterFunction(0, 2, distances(""), (u, n) -> Terrain.aspect(u, at(n, 0), columns(n))));
    ALL.put(
        "hillshade",
        new RasterFunction(
            0,
            4,
            distances(", the azimuth and the altitude of the light in degrees"),
            (u, n) ->
                Terrain.hillshade(
                    u,
                    at(n, 0),
                    columns(n),
                    n.length > 2 ? n[2] : Terrain.AZIMUTH,
                    n.length > 3 ? n[3] : Terrain.ALTITUDE)));
  }

  private FieldFunctions() {}

  /** Makes an expression from a field and a radius. */
  @FunctionalInterface
  private interface Summary {
    Expression of(Field field, int radius);
  }

  private static RasterFunction summary(Summary summary) {
    return new RasterFunction(
        1, 1, RADIUS, (field, numbers) -> summary.of(field, (int) numbers[0]));
  }

  private static String distances(String more) {
    return "the distances between rows and between columns" + more;
  }

  private static double at(double[] numbers, int index) {
    return numbers.length > index ? numbers[index] : 1;
  }

  /** Columns are as far apart as rows unless there is another number for them. */
  private static double columns(double[] numbers) {
    return at(numbers, numbers.length > 1 ? 1 : 0);
  }

  static Set<String> names() {
    return ALL.keySet();
  }

  /** Reads the operands of a function behind its parenthesis, and applies it. */
  static Expression call(Token name, Tokens tokens, Field field, ExpressionParser expressions) {
    RasterFunction function = ALL.get(name.text());
    List<Double> numbers = new ArrayList<>();
    while (tokens.takeIf(",")) {
      boolean whole = function.numbers().equals(RADIUS);
      numbers.add(
          whole
              ? (double) expressions.integer("write " + RADIUS)
              : expressions.decimal(
                  "write a number: %s are constants".formatted(function.numbers())));
    }
    if (numbers.size() < function.least() || numbers.size() > function.most()) {
      throw tokens.problem(
          name,
          "%s takes a field and %s".formatted(name.text(), function.numbers()),
          "write %s(u%s)".formatted(name.text(), ", 1".repeat(Math.min(function.most(), 2))));
    }
    double[] values = numbers.stream().mapToDouble(Double::doubleValue).toArray();
    return tokens.locate(name, () -> function.of().apply(field, values));
  }
}
