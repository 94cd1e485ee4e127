/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import io.sparkstencil.error.InvalidStencilException;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Weighted sums that have names in the literature. Rational weights are computed as fractions and
 * rounded once.
 *
 * <p>The boundary is {@link Boundary#DEFAULT} and the accuracy exact until changed, as for every
 * stencil. A frame that is cut at the end of a series is no derivative or fit any more: use {@link
 * Boundary#VALID} to leave those results out, or {@link Boundary#REFLECT}, which keeps the sum of a
 * Gaussian, to continue the series. Numbers out of the ranges below are refused with an {@link
 * InvalidStencilException}.
 *
 * <pre>{@code
 * Stencil slope = StandardStencils.derivative(1, 4, 0.5); // cells are 0.5 apart
 * Stencil smooth = StandardStencils.savitzkyGolay(5, 2).withBoundary(Boundary.VALID);
 * }</pre>
 */
public final class StandardStencils {
  private static final int MAX_DERIVATIVE_ORDER = 32;
  private static final int MAX_ACCURACY_ORDER = 64;
  private static final int MAX_FIT_RADIUS = 2048;
  private static final int MAX_FIT_DEGREE = 20;

  /** How many standard deviations a Gaussian reaches by default, as in scipy.ndimage. */
  private static final double GAUSSIAN_REACH = 4.0;

  private StandardStencils() {}

  /**
   * Returns the central finite difference of a derivative, on {@code 2 * ((order + 1) / 2) - 1 +
   * accuracyOrder} cells: exact for polynomials up to degree {@code order + accuracyOrder - 1}.
   *
   * <p>Source: B. Fornberg, "Generation of finite difference formulas on arbitrarily spaced grids",
   * Mathematics of Computation 51 (1988), 699-706: the recurrence, and table 1 for the weights.
   *
   * @param order which derivative, 1 to 32
   * @param accuracyOrder the power of the spacing by which the error falls: even, 2 to 64
   * @param spacing the distance of two cells, in the unit that the derivative is taken by; above 0
   */
  public static Stencil derivative(int order, int accuracyOrder, double spacing) {
    requireRange("derivative order", order, 1, MAX_DERIVATIVE_ORDER);
    requireRange("accuracy order", accuracyOrder, 2, MAX_ACCURACY_ORDER);
    if (accuracyOrder % 2 != 0) {
      throw new InvalidStencilException(
          "accuracy order %d is odd; central differences have even orders, use %d"
              .formatted(accuracyOrder, accuracyOrder + 1));
    }
    int radius = (order + 1) / 2 - 1 + accuracyOrder / 2;
    return scaled(fornberg(order, radius), order, spacing);
  }

  /**
   * Fornberg's recurrence at 0 with the nodes 0, 1, -1, 2, -2, ...: after step {@code n}, {@code
   * weights[m][v]} is the weight of node {@code v} for derivative {@code m} on the first {@code n +
   * 1} nodes.
   */
  private static Rational[] fornberg(int order, int radius) {
    int nodes = 2 * radius + 1;
    int[] node = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      node[i] = i % 2 == 1 ? (i + 1) / 2 : -i / 2;
    }
    Rational[][] weights = new Rational[order + 1][nodes];
    for (Rational[] row : weights) {
      Arrays.fill(row, Rational.ZERO);
    }
    weights[0][0] = Rational.ONE;
    Rational lastProduct = Rational.ONE;
    for (int n = 1; n < nodes; n++) {
      Rational product = Rational.ONE;
      Rational[][] next = new Rational[order + 1][];
      for (int m = 0; m <= order; m++) {
        next[m] = weights[m].clone();
      }
      for (int v = 0; v < n; v++) {
        Rational distance = Rational.of(node[n] - node[v]);
        product = product.times(distance);
        for (int m = 0; m <= Math.min(n, order); m++) {
          Rational lower = m == 0 ? Rational.ZERO : Rational.of(m).times(weights[m - 1][v]);
          next[m][v] = Rational.of(node[n]).times(weights[m][v]).minus(lower).over(distance);
        }
      }
      Rational ratio = lastProduct.over(product);
      for (int m = 0; m <= Math.min(n, order); m++) {
        Rational lower = m == 0 ? Rational.ZERO : Rational.of(m).times(weights[m - 1][n - 1]);
        Rational same = Rational.of(node[n - 1]).times(weights[m][n - 1]);
        next[m][n] = ratio.times(lower.minus(same));
      }
      lastProduct = product;
      weights = next;
    }
    Rational[] ordered = new Rational[nodes];
    for (int i = 0; i < nodes; i++) {
      ordered[node[i] + radius] = weights[order][i];
    }
    return ordered;
  }

  /**
   * Returns the nine-point first derivative: {@code (a1 (f[1] - f[-1]) + ... + a4 (f[4] - f[-4])) /
   * spacing} with a1 to a4 = 4/5, -1/5, 4/105, -1/280; the error falls by the eighth power of the
   * spacing.
   *
   * <p>Source: Fornberg (1988), table 1, derivative 1, order of accuracy 8.
   *
   * @param spacing the distance of two cells; above 0
   */
  public static Stencil ninePointFirstDerivative(double spacing) {
    return derivative(1, 8, spacing);
  }

  /** Returns the Gaussian filter that reaches four standard deviations. */
  public static Stencil gaussian(double sigma) {
    return gaussian(sigma, GAUSSIAN_REACH);
  }

  /**
   * Returns the Gaussian filter: weights {@code exp(-x * x / (2 * sigma * sigma))} at the integers
   * {@code x} up to {@code (int) (truncate * sigma + 0.5)}, divided by their sum.
   *
   * <p>Source: the definition of {@code scipy.ndimage.gaussian_filter1d}, order 0.
   *
   * @param sigma standard deviation in cells; above 0
   * @param truncate how many standard deviations the filter reaches; above 0
   */
  public static Stencil gaussian(double sigma, double truncate) {
    requirePositive("sigma", sigma);
    requirePositive("truncate", truncate);
    double reach = truncate * sigma + 0.5;
    if (reach >= Frame.MAX_REACH) {
      throw new InvalidStencilException(
          "sigma %s times truncate %s reaches further than %d cells; use smaller ones"
              .formatted(sigma, truncate, Frame.MAX_REACH));
    }
    int radius = (int) reach;
    double[] weights = new double[2 * radius + 1];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      double x = (i - radius) / sigma;
      weights[i] = Math.exp(-0.5 * x * x);
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    return Stencil.weighted(Frame.radius(radius), weights);
  }

  /** Returns the smoothing filter of Savitzky and Golay. */
  public static Stencil savitzkyGolay(int radius, int degree) {
    return savitzkyGolay(radius, degree, 0, 1);
  }

  /**
   * Returns the filter of Savitzky and Golay: the value, or a derivative, at the middle of the
   * polynomial that fits the frame best by least squares.
   *
   * <p>Source: A. Savitzky and M. J. E. Golay, "Smoothing and differentiation of data by simplified
   * least squares procedures", Analytical Chemistry 36 (1964), 1627-1639, with the corrections of
   * J. Steinier, Y. Termonia and J. Deltour, Analytical Chemistry 44 (1972), 1906-1909.
   *
   * @param radius cells on each side, 1 to 2048
   * @param degree of the polynomial, 0 to 20, below the {@code 2 * radius + 1} cells of the frame
   * @param derivative which derivative, 0 for the value, at most the degree
   * @param spacing the distance of two cells; above 0
   */
  public static Stencil savitzkyGolay(int radius, int degree, int derivative, double spacing) {
    requireRange("radius", radius, 1, MAX_FIT_RADIUS);
    requireRange("polynomial degree", degree, 0, Math.min(MAX_FIT_DEGREE, 2 * radius));
    requireRange("derivative", derivative, 0, degree);
    Rational[] coefficients = rowOfInverse(radius, degree, derivative);
    Rational factorial = Rational.ONE;
    for (int i = 2; i <= derivative; i++) {
      factorial = factorial.times(Rational.of(i));
    }
    Rational[] weights = new Rational[2 * radius + 1];
    for (int i = 0; i < weights.length; i++) {
      Rational x = Rational.of(i - radius);
      Rational value = Rational.ZERO;
      for (int j = degree; j >= 0; j--) {
        value = value.times(x).plus(coefficients[j]);
      }
      weights[i] = value.times(factorial);
    }
    return scaled(weights, derivative, spacing);
  }

  /**
   * Solves the normal equations of the fit for a right-hand side that is 1 in {@code row} alone, by
   * Gauss-Jordan elimination. The matrix of power sums is positive definite: no pivot is zero.
   */
  private static Rational[] rowOfInverse(int radius, int degree, int row) {
    int size = degree + 1;
    Rational[][] matrix = new Rational[size][size + 1];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        matrix[i][j] = powerSum(radius, i + j);
      }
      matrix[i][size] = i == row ? Rational.ONE : Rational.ZERO;
    }
    for (int pivot = 0; pivot < size; pivot++) {
      for (int i = 0; i < size; i++) {
        if (i == pivot || matrix[i][pivot].isZero()) {
          continue;
        }
        Rational factor = matrix[i][pivot].over(matrix[pivot][pivot]);
        for (int j = pivot; j <= size; j++) {
          matrix[i][j] = matrix[i][j].minus(factor.times(matrix[pivot][j]));
        }
      }
    }
    Rational[] solution = new Rational[size];
    for (int i = 0; i < size; i++) {
      solution[i] = matrix[i][size].over(matrix[i][i]);
    }
    return solution;
  }

  private static Rational powerSum(int radius, int power) {
    BigInteger sum = BigInteger.ZERO;
    for (int x = -radius; x <= radius; x++) {
      sum = sum.add(BigInteger.valueOf(x).pow(power));
    }
    return new Rational(sum, BigInteger.ONE);
  }

  private static Stencil scaled(Rational[] weights, int derivative, double spacing) {
    requirePositive("spacing", spacing);
    double divisor = Math.pow(spacing, derivative);
    double[] values = new double[weights.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = weights[i].toDouble() / divisor;
      if (!Double.isFinite(values[i])) {
        throw new InvalidStencilException(
            "spacing %s makes the weights of derivative %d infinite; use a larger unit"
                .formatted(spacing, derivative));
      }
    }
    return Stencil.weighted(Frame.radius(weights.length / 2), values);
  }

  private static void requireRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidStencilException(
          "%s %d is not in [%d, %d]; choose one that is".formatted(what, value, least, most));
    }
  }

  private static void requirePositive(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new InvalidStencilException(
          "%s is %s; it must be finite and above 0".formatted(what, value));
    }
  }
}
