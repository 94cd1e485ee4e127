/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Weights;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Central finite differences of a field, for cells that are 1 apart. The weights are Fornberg's,
 * see {@link StandardStencils#derivative}. Terms are added in the order of their offsets, slowest
 * axis first.
 *
 * <pre>{@code
 * StencilProgram curvature =
 *     StencilProgram.of(
 *         2,
 *         builder -> {
 *           Field u = builder.field("u");
 *           builder.update(u, Differences.laplacian(u, 4));
 *         });
 * }</pre>
 */
public final class Differences {
  private Differences() {}

  /**
   * Returns a partial derivative. For cells at a distance {@code h}, divide it by {@code h} to the
   * power of the order.
   *
   * @param axis the axis, slowest first
   * @param order which derivative, 1 to 32
   * @param accuracy the power of the spacing by which the error falls: even, 2 to 64
   */
  public static Expression derivative(Field field, int axis, int order, int accuracy) {
    if (axis < 0 || axis >= field.dimensions()) {
      throw new InvalidStencilException(
          "axis %d of the field %s; use 0 to %d"
              .formatted(axis, field.name(), field.dimensions() - 1));
    }
    return sum(field, terms(field, axis, order, accuracy));
  }

  /**
   * Returns the sum of the second derivatives along all axes. For cells at a distance {@code h},
   * divide it by {@code h * h}.
   *
   * @param accuracy the power of the spacing by which the error falls: even, 2 to 64
   */
  public static Expression laplacian(Field field, int accuracy) {
    List<Term> terms = new ArrayList<>();
    double centre = 0;
    for (int axis = 0; axis < field.dimensions(); axis++) {
      for (Term term : terms(field, axis, 2, accuracy)) {
        if (Arrays.stream(term.offset).allMatch(distance -> distance == 0)) {
          centre = term.weight * field.dimensions();
        } else {
          terms.add(term);
        }
      }
    }
    terms.add(new Term(new int[field.dimensions()], centre));
    terms.sort(Comparator.comparing(term -> term.offset, Arrays::compare));
    return sum(field, terms);
  }

  /** Returns the sum of the absolute weights of a second derivative, its largest eigenvalue. */
  static double largestEigenvalue(int accuracy) {
    Weights weights = StandardStencils.derivative(2, accuracy, 1).weights();
    double sum = 0;
    for (int i = 0; i < weights.size(); i++) {
      sum += Math.abs(weights.get(i));
    }
    return sum;
  }

  private static List<Term> terms(Field field, int axis, int order, int accuracy) {
    Weights weights = StandardStencils.derivative(order, accuracy, 1).weights();
    int radius = weights.size() / 2;
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < weights.size(); i++) {
      if (weights.get(i) != 0) {
        int[] offset = new int[field.dimensions()];
        offset[axis] = i - radius;
        terms.add(new Term(offset, weights.get(i)));
      }
    }
    return terms;
  }

  /** A cell of a sum and its weight. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Term(int[] offset, double weight) {}

  /** Returns the weighted sum of cells, from left to right; weights of 1 and -1 are not written. */
  static Expression sum(Field field, List<Term> terms) {
    Expression sum = null;
    for (Term term : terms) {
      Expression cell = field.at(term.offset);
      double size = Math.abs(term.weight);
      if (sum == null) {
        sum = term.weight == 1 ? cell : Expression.constant(term.weight).times(cell);
      } else {
        Expression product = size == 1 ? cell : Expression.constant(size).times(cell);
        sum = term.weight < 0 ? sum.minus(product) : sum.plus(product);
      }
    }
    return sum;
  }
}
