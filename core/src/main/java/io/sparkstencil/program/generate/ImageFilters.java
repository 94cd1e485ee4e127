/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Weights;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.ProgramBuilder;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Differences.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/**
 * Filters of images and volumes, as {@code scipy.ndimage} defines them. Each updates the field
 * {@code u}. Filters that are separable pass over one axis after another, slowest first, through
 * fields {@code u_x} and {@code u_y} that have no other use; give these the rule outside that
 * {@code u} has. Numbers out of the ranges below are refused with an {@link
 * InvalidStencilException}.
 *
 * <pre>{@code
 * StencilProgram blur = ImageFilters.gaussian(2, 1.5);
 * StencilProgram eroded = ImageFilters.min(1, 1); // boxes of 3 by 3 cells
 * }</pre>
 */
public final class ImageFilters {
  private static final String FIELD = "u";

  /** Cells of all axes of a box filter together, so that its operations are not too many. */
  private static final int MOST_BOX_CELLS = 1900;

  private ImageFilters() {}

  /** Makes the value of a pass from a field, along an axis. */
  @FunctionalInterface
  private interface Pass {
    Expression of(Field field, boolean updated, int axis);
  }

  /**
   * Returns a Gaussian filter that reaches four standard deviations.
   *
   * @param dimensions the number of axes, 1 to 3
   * @param sigma the standard deviation in cells, the same along every axis; above 0
   * @see StandardStencils#gaussian(double)
   */
  public static StencilProgram gaussian(int dimensions, double sigma) {
    StencilProgram.axes(dimensions);
    Weights weights = StandardStencils.gaussian(sigma).weights();
    int radius = weights.size() / 2;
    int most = StencilProgram.MAX_NODES / (6 * dimensions + 2);
    if (radius > most) {
      throw new InvalidStencilException(
          "sigma %s reaches %d cells, more than %d; use a smaller sigma several times: the squares of sigma add up"
              .formatted(sigma, radius, most));
    }
    int[] radii = new int[dimensions];
    Arrays.fill(radii, radius);
    return passes(
        radii,
        (field, updated, axis) -> {
          Expression sum = null;
          for (int i = -radius; i <= radius; i++) {
            Expression cell = cell(field, updated, axis, i);
            Expression product = Expression.constant(weights.get(i + radius)).times(cell);
            sum = sum == null ? product : sum.plus(product);
          }
          return sum;
        });
  }

  /**
   * Returns the mean of the cells in a box: the mean along each axis, one after another.
   *
   * @param radii cells on each side, one number per axis, slowest axis first, at least 0
   */
  public static StencilProgram mean(int... radii) {
    requireRadii(radii);
    return passes(
        radii,
        (field, updated, axis) ->
            fold(field, updated, axis, radii[axis], Expression::plus).over(2 * radii[axis] + 1));
  }

  /** Returns the sum of the cells in a box: the sum along each axis, one after another. */
  static StencilProgram sum(int... radii) {
    requireRadii(radii);
    return passes(
        radii, (field, updated, axis) -> fold(field, updated, axis, radii[axis], Expression::plus));
  }

  /**
   * Returns the least of the cells in a box, in the order of {@link Expression#min}.
   *
   * @param radii cells on each side, one number per axis, slowest axis first, at least 0
   */
  public static StencilProgram min(int... radii) {
    requireRadii(radii);
    return passes(
        radii, (field, updated, axis) -> fold(field, updated, axis, radii[axis], Expression::min));
  }

  /**
   * Returns the greatest of the cells in a box, in the order of {@link Expression#max}.
   *
   * @param radii cells on each side, one number per axis, slowest axis first, at least 0
   */
  public static StencilProgram max(int... radii) {
    requireRadii(radii);
    return passes(
        radii, (field, updated, axis) -> fold(field, updated, axis, radii[axis], Expression::max));
  }

  /**
   * Returns Sobel's derivative of an image: differences along an axis, smoothed along the other.
   *
   * @param axis 0 for differences from row to row, 1 from column to column
   */
  public static StencilProgram sobel(int axis) {
    if (axis != 0 && axis != 1) {
      throw new InvalidStencilException(
          "axis %d of an image; use 0 for its rows or 1 for its columns".formatted(axis));
    }
    return StencilProgram.of(
        2,
        p -> {
          Field u = p.field(FIELD);
          p.update(u, sobel(u, axis));
        });
  }

  /** Returns the length of the gradient that Sobel's derivatives along both axes give. */
  public static StencilProgram sobelMagnitude() {
    return StencilProgram.of(
        2,
        p -> {
          Field u = p.field(FIELD);
          p.update(u, sobelMagnitude(u));
        });
  }

  /** Returns the length of the gradient that Sobel's derivatives of a field of two axes give. */
  public static Expression sobelMagnitude(Field field) {
    Expression rows = sobel(field, 0);
    Expression columns = sobel(field, 1);
    return rows.times(rows).plus(columns.times(columns)).sqrt();
  }

  private static Expression sobel(Field u, int axis) {
    List<Term> terms = new ArrayList<>();
    for (int i = -1; i <= 1; i++) {
      for (int j = -1; j <= 1; j++) {
        int along = axis == 0 ? i : j;
        int across = axis == 0 ? j : i;
        if (along != 0) {
          terms.add(new Term(new int[] {i, j}, along * (2 - Math.abs(across))));
        }
      }
    }
    return Differences.sum(u, terms);
  }

  /**
   * Returns the convolution of an image with weights: the first weight is for the last cell.
   *
   * @param weights rows of the same length; both numbers odd, so that there is a middle
   */
  public static StencilProgram convolve(double[][] weights) {
    int rows = weights.length;
    int columns = rows == 0 ? 0 : weights[0].length;
    if (rows % 2 == 0 || columns % 2 == 0) {
      throw new InvalidStencilException(
          "%d rows of %d weights have no middle; use odd numbers, with weights of 0 added"
              .formatted(rows, columns));
    }
    List<Term> terms = new ArrayList<>();
    for (int i = rows - 1; i >= 0; i--) {
      if (weights[i].length != columns) {
        throw new InvalidStencilException(
            "row %d has %d weights and row 0 has %d; use rows of the same length"
                .formatted(i, weights[i].length, columns));
      }
      for (int j = columns - 1; j >= 0; j--) {
        if (weights[i][j] != 0) {
          terms.add(new Term(new int[] {rows / 2 - i, columns / 2 - j}, weights[i][j]));
        }
      }
    }
    if (terms.isEmpty()) {
      throw new InvalidStencilException("all weights are 0; use one that is not");
    }
    return StencilProgram.of(
        2,
        p -> {
          Field u = p.field(FIELD);
          p.update(u, Differences.sum(u, terms));
        });
  }

  private static void requireRadii(int... radii) {
    StencilProgram.axes(radii.length);
    long cells = 0;
    for (int radius : radii) {
      if (radius < 0) {
        throw new InvalidStencilException(
            "radius %d is below 0; use 0 for an axis that is left as it is".formatted(radius));
      }
      cells += 2L * radius + 1;
    }
    if (cells > MOST_BOX_CELLS) {
      throw new InvalidStencilException(
          "the radii %s reach %d cells along their axes, more than %d; use smaller ones"
              .formatted(Arrays.toString(radii), cells, MOST_BOX_CELLS));
    }
  }

  /** Returns the program that passes along each axis of a radius above 0, the last into u. */
  private static StencilProgram passes(int[] radii, Pass pass) {
    int[] axes = IntStream.range(0, radii.length).filter(axis -> radii[axis] > 0).toArray();
    return StencilProgram.of(
        radii.length,
        p -> {
          Field read = p.field(FIELD);
          if (axes.length == 0) {
            p.update(read, read.here());
          }
          for (int i = 0; i < axes.length; i++) {
            Expression value = pass.of(read, i > 0, axes[i]);
            read = written(p, i == axes.length - 1, axes[i], radii.length);
            p.update(read, value);
          }
        });
  }

  private static Field written(ProgramBuilder p, boolean last, int axis, int dimensions) {
    return p.field(last ? FIELD : FIELD + "_" + StencilProgram.axes(dimensions).get(axis));
  }

  private static Expression fold(
      Field field, boolean updated, int axis, int radius, BinaryOperator<Expression> operation) {
    return IntStream.rangeClosed(-radius, radius)
        .mapToObj(distance -> cell(field, updated, axis, distance))
        .reduce(operation)
        .orElseThrow();
  }

  private static Expression cell(Field field, boolean updated, int axis, int distance) {
    int[] offset = new int[field.dimensions()];
    offset[axis] = distance;
    return updated ? field.updated(offset) : field.at(offset);
  }
}
