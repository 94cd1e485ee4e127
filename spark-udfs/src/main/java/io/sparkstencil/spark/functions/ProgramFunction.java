/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import static io.sparkstencil.spark.functions.FunctionText.example;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.ImageFilters;
import io.sparkstencil.program.generate.PresentCells;
import io.sparkstencil.program.generate.PresentCells.BoxReduction;
import io.sparkstencil.program.generate.Terrain;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The SQL functions that run stencil programs over arrays and images. */
public enum ProgramFunction implements SqlFunction {
  EXPR(
      "stencil_expr",
      1,
      expressions(),
      FunctionText.of(
          "Returns `a` after `steps` steps of a stencil program.",
          "`u[-1]` is the element before the current one, `u` the element itself; arrays of arrays"
              + " take one distance per axis, `u[-1,0]`. Operations are + - * /, comparisons, and,"
              + " or, not, where, min, max, abs, sqrt, fma, sin, cos, exp, log, tanh, atan, atan2,"
              + " laplacian(u, accuracy), d(u, axis, order, accuracy), and functions of rasters such"
              + " as focal_mean(u, radius); see docs/programs.md. Elements are computed in"
              + " float or double; int, bigint and decimal elements become double. A result is"
              + " null where it depends on a null element. The arrays of a struct are the fields of"
              + " that name; the result is the array of the field that the program updates, or a"
              + " struct of arrays if it updates several.",
          example("array(0D, 0D, 1D, 0D), 'u[-1] - 2*u + u[1]'", "[0.0,1.0,-2.0,1.0]"),
          example(
              "array(0D, 0D, 4D, 0D, 0D), 'u + 0.25*(u[-1] - 2*u + u[1])', 2, 'constant:0'",
              "[0.25,1.0,1.5,1.0,0.25]"),
          example(
              "array(array(1D, 2D), array(3D, 4D)), 'u[1,0] - u[-1,0]'", "[[2.0,2.0],[2.0,2.0]]"),
          example(
              "named_struct('u', array(1D, 2D), 'c', array(3D, 4D)), \"u' = u[1] + c[0]\"",
              "[5.0,6.0]"))),
  MEAN(
      "stencil2d_mean",
      2,
      filters(List.of(Parameter.RADIUS)),
      FunctionText.of(
          "Returns the mean of each cell of an image and its neighbours, `2 * k + 1` in a row and"
              + " in a column.",
          "The mean along columns of the means along rows. Null elements are left out: where there"
              + " are some, it is the sum of the others divided by their number. A result is null"
              + " where all are.",
          example(
              "array(array(1D, 2D, 6D), array(1D, 2D, 6D)), 1, 'nearest'",
              "[[1.3333333333333333,3.0,4.666666666666667],[1.3333333333333333,3.0,4.666666666666667]]"))),
  MIN(
      "stencil2d_min",
      2,
      filters(List.of(Parameter.RADIUS)),
      FunctionText.of(
          "Returns the least of each cell of an image and its neighbours.",
          "NaN is the greatest value. Null elements are left out; a result is null where all are.",
          example(
              "array(array(3D, 1D, 4D), array(1D, 5D, 9D)), 1", "[[1.0,1.0,1.0],[1.0,1.0,1.0]]"))),
  MAX(
      "stencil2d_max",
      2,
      filters(List.of(Parameter.RADIUS)),
      FunctionText.of(
          "Returns the greatest of each cell of an image and its neighbours.",
          "NaN is the greatest value. Null elements are left out; a result is null where all are.",
          example(
              "array(array(3D, 1D, 4D), array(1D, 5D, 9D)), 1", "[[5.0,9.0,9.0],[5.0,9.0,9.0]]"))),
  MEDIAN(
      "stencil2d_median",
      2,
      filters(List.of(Parameter.RADIUS)),
      FunctionText.of(
          "Returns the median of each cell of an image and its neighbours, at most 5 on each side.",
          "Of an even number of cells it is the mean of the two in the middle. Null and NaN elements"
              + " are left out; a result is null where all are null, and NaN where the others are NaN.",
          example(
              "array(array(3D, 1D, NULL), array(1D, 5D, 9D)), 1, 'nearest'",
              "[[3.0,3.0,5.0],[1.0,4.0,9.0]]"))),
  GAUSSIAN(
      "stencil2d_gaussian",
      2,
      filters(
          List.of(
              new Parameter(
                  "sigma",
                  Parameter.ArgumentType.NUMBER,
                  "the standard deviation in cells, above 0"))),
      FunctionText.of(
          "Returns an image smoothed by a Gaussian with standard deviation `sigma`.",
          "The Gaussian is cut off at 4 sigma, as scipy.ndimage.gaussian_filter does by default. A"
              + " result is null where it depends on a null element.",
          example("array(array(2D, 2D), array(2D, 2D)), 0.1", "[[2.0,2.0],[2.0,2.0]]"))),
  SOBEL(
      "stencil2d_sobel",
      2,
      filters(List.of()),
      FunctionText.of(
          "Returns the size of the gradient of an image, by Sobel's filters along rows and columns.",
          "The square root of the sum of squares of scipy.ndimage.sobel along both axes. Under"
              + " 'constant:C' the image goes on with C; scipy.ndimage pads the differences with C"
              + " as well, which is the same for 0 only. A result is null where it depends on a null"
              + " element.",
          example("array(array(0D, 0D, 1D), array(0D, 0D, 1D))", "[[0.0,4.0,4.0],[0.0,4.0,4.0]]"))),
  SLOPE(
      "stencil2d_slope",
      2,
      filters(distances()),
      FunctionText.of(
          "Returns the slope of heights in degrees, by Horn's differences.",
          "Rows go from north to south, columns from west to east. With z the heights, the rise is"
              + " the square root of zx*zx + zy*zy, where zx is the difference of the three cells to"
              + " the east and the three to the west, the middle ones twice, divided by 8 * columns,"
              + " and zy that from south to north likewise; the slope is its arc tangent. Same as"
              + " gdaldem slope up to its rounding to float. A result is null where one of the nine"
              + " elements is.",
          example(
              "array(array(1D, 3D, 5D), array(1D, 3D, 5D)), 2, 2, 'nearest'",
              "[[26.56505117707799,45.0,26.56505117707799],[26.56505117707799,45.0,26.56505117707799]]"))),
  ASPECT(
      "stencil2d_aspect",
      2,
      filters(distances()),
      FunctionText.of(
          "Returns the direction in which heights fall, in degrees from north by east, by Horn's"
              + " differences.",
          "0 is north and 90 is east; NaN where it is flat. Same as gdaldem aspect where rows and"
              + " columns are equally far apart; gdaldem takes no notice of their distances. A result"
              + " is null where one of the nine elements is.",
          example(
              "array(array(1D, 3D, 5D), array(1D, 3D, 5D)), 2, 2, 'nearest'",
              "[[270.0,270.0,270.0],[270.0,270.0,270.0]]"))),
  HILLSHADE(
      "stencil2d_hillshade",
      2,
      shades(),
      FunctionText.of(
          "Returns how bright heights are under a light, from 1 to 255, by Horn's differences.",
          "1, and 254 times the cosine of the angle between the light and what is upright on the"
              + " surface, if that is above 0. Same as gdaldem hillshade, which rounds to whole numbers."
              + " A result is null where one of the nine elements is.",
          example(
              "array(array(1D, 3D, 5D), array(1D, 3D, 5D)), 2, 2, 0, 90, 'nearest'",
              "[[228.18450651397862,180.60512242138304,228.18450651397862],[228.18450651397862,180.60512242138304,228.18450651397862]]"))),
  CONVOLVE(
      "stencil2d_convolve",
      2,
      filters(
          List.of(
              new Parameter(
                  "weights",
                  Parameter.ArgumentType.ROWS,
                  "rows of finite numbers, all of one length"))),
      FunctionText.of(
          "Returns the convolution of an image with `weights`.",
          "Same as scipy.ndimage.convolve. A result is null where it depends on a null element.",
          example(
              "array(array(0D, 0D), array(0D, 1D)), array(array(1D, 2D, 3D)), 'constant:0'",
              "[[0.0,0.0],[1.0,2.0]]")));

  private final String sqlName;
  private final int dimensions;

  @SuppressWarnings("ImmutableEnumChecker") // the lists are immutable
  private final List<List<Parameter>> signatures;

  @SuppressWarnings("ImmutableEnumChecker") // its list is immutable
  private final FunctionText text;

  ProgramFunction(
      String sqlName, int dimensions, List<List<Parameter>> signatures, FunctionText text) {
    this.sqlName = sqlName;
    this.dimensions = dimensions;
    this.signatures = signatures;
    this.text = text;
  }

  private static List<List<Parameter>> expressions() {
    Parameter expression =
        new Parameter(
            "expression", Parameter.ArgumentType.TEXT, "the program, such as 'u[-1] + u[1]'");
    Parameter steps =
        new Parameter(
            "steps", Parameter.ArgumentType.WHOLE, "how many times it is applied, at least 1");
    Parameter accuracy =
        new Parameter(
            "accuracy",
            Parameter.ArgumentType.TEXT,
            "'exact' (the default: each operation is rounded) or 'fma' (a sum is rounded together"
                + " with one of its products)");
    return List.of(
        List.of(expression),
        List.of(expression, steps),
        List.of(expression, steps, Parameter.SIDES),
        List.of(expression, steps, Parameter.SIDES, accuracy));
  }

  private static List<Parameter> distances() {
    return List.of(
        new Parameter(
            "rows",
            Parameter.ArgumentType.NUMBER,
            "the distance between rows in the unit of the heights, above 0"),
        new Parameter(
            "columns", Parameter.ArgumentType.NUMBER, "the distance between columns, above 0"));
  }

  private static List<List<Parameter>> shades() {
    List<Parameter> light =
        Stream.concat(
                distances().stream(),
                Stream.of(
                    new Parameter(
                        "azimuth",
                        Parameter.ArgumentType.NUMBER,
                        "the direction of the light, in degrees from north by east; 315 if left out"),
                    new Parameter(
                        "altitude",
                        Parameter.ArgumentType.NUMBER,
                        "the height of the light in degrees, 0 to 90; 45 if left out")))
            .toList();
    return Stream.concat(filters(distances()).stream(), filters(light).stream()).toList();
  }

  private static List<List<Parameter>> filters(List<Parameter> own) {
    return List.of(own, Stream.concat(own.stream(), Stream.of(Parameter.SIDES)).toList());
  }

  @Override
  public String sqlName() {
    return sqlName;
  }

  @Override
  public List<List<Parameter>> signatures() {
    return signatures;
  }

  @Override
  public String array() {
    return dimensions == 2
        ? "an array of arrays of numbers, the rows of an image, all of one length; null gives null"
        : "an array of numbers, or arrays of such arrays with one length along each axis, or a"
            + " struct of arrays of float or of double, all of one extent; null gives null";
  }

  @Override
  public FunctionText text() {
    return text;
  }

  /** Returns the dimensions that arrays must have, or that they must have at least. */
  public int dimensions() {
    return dimensions;
  }

  /** Returns how many times a call applies its program; {@code values} as for {@link #program}. */
  public int steps(List<Object> values) {
    return this == EXPR && values.size() > 1 ? (Integer) values.get(1) : 1;
  }

  /**
   * Returns the program of a call.
   *
   * @param values the values of the parameters: Integer, Double, {@code double[][]}, String
   * @param arrayDimensions the dimensions of the arrays
   * @throws InvalidStencilException if a value is out of range, or the text is no program
   */
  public StencilProgram program(List<Object> values, int arrayDimensions) {
    if (this == EXPR) {
      StencilProgram program = ProgramText.parse((String) values.get(0), arrayDimensions);
      StencilProgram bounded =
          values.size() > 2 ? BoundaryText.apply(program, (String) values.get(2)) : program;
      return values.size() > 3
          ? bounded.withAccuracy(Accuracy.parse((String) values.get(3)))
          : bounded;
    }
    StencilProgram filter = filter(values);
    return !values.isEmpty() && values.get(values.size() - 1) instanceof String sides
        ? BoundaryText.apply(filter, sides)
        : filter;
  }

  private StencilProgram filter(List<Object> values) {
    return switch (this) {
      case EXPR -> throw new IllegalStateException("an expression is no filter");
      case MEAN, MIN, MAX, MEDIAN -> present(values).orElseThrow().filter();
      case GAUSSIAN -> ImageFilters.gaussian(2, (Double) values.get(0));
      case SOBEL -> ImageFilters.sobelMagnitude();
      case SLOPE -> of(u -> Terrain.slope(u, number(values, 0), number(values, 1)));
      case ASPECT -> of(u -> Terrain.aspect(u, number(values, 0), number(values, 1)));
      case HILLSHADE -> {
        boolean lit = values.size() > 3;
        yield of(
            u ->
                Terrain.hillshade(
                    u,
                    number(values, 0),
                    number(values, 1),
                    lit ? number(values, 2) : Terrain.AZIMUTH,
                    lit ? number(values, 3) : Terrain.ALTITUDE));
      }
      case CONVOLVE -> ImageFilters.convolve((double[][]) values.get(0));
    };
  }

  private static double number(List<Object> values, int index) {
    return (Double) values.get(index);
  }

  private static StencilProgram of(Function<Field, Expression> value) {
    return StencilProgram.of(
        2,
        p -> {
          Field u = p.field("u");
          p.update(u, value.apply(u));
        });
  }

  /**
   * Returns how a call leaves out null elements; nothing if a result is null that depends on one.
   *
   * @param values as for {@link #program}
   */
  public Optional<PresentCells> present(List<Object> values) {
    return switch (this) {
      case MEAN -> Optional.of(present(BoxReduction.MEAN, values));
      case MIN -> Optional.of(present(BoxReduction.MIN, values));
      case MAX -> Optional.of(present(BoxReduction.MAX, values));
      case MEDIAN -> Optional.of(present(BoxReduction.MEDIAN, values));
      case EXPR, GAUSSIAN, SOBEL, SLOPE, ASPECT, HILLSHADE, CONVOLVE -> Optional.empty();
    };
  }

  private static PresentCells present(BoxReduction kind, List<Object> values) {
    Integer radius = (Integer) values.get(0);
    return new PresentCells(kind, List.of(radius, radius));
  }
}
