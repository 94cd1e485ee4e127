/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import java.lang.reflect.Array;
import java.util.Optional;

/**
 * Compares results with what the oracle expects: bit for bit where order is fixed (any NaN equals
 * any other), else within the bound that rounding theory gives for the taps at hand.
 */
public final class ResultComparator {
  private ResultComparator() {}

  /**
   * Returns the first difference in words, or empty.
   *
   * @param actual primitive array of the element type
   * @param actualValidity 1 for a result, 0 for null; null if no result is null
   */
  public static Optional<String> difference(
      StencilSpec spec, SeriesOracle.Expected expected, Object actual, byte[] actualValidity) {
    int n = expected.validity().length;
    if (Array.getLength(actual) < n) {
      return Optional.of("%d results, %d expected".formatted(Array.getLength(actual), n));
    }
    for (int i = 0; i < n; i++) {
      int validity = actualValidity == null ? 1 : actualValidity[i];
      if (validity != expected.validity()[i]) {
        return Optional.of(
            "validity of result %d is %d, expected %d"
                .formatted(i, validity, expected.validity()[i]));
      }
      if (validity == 1) {
        Optional<String> difference = difference(spec, expected, actual, i);
        if (difference.isPresent()) {
          return difference;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> difference(
      StencilSpec spec, SeriesOracle.Expected expected, Object actual, int i) {
    if (sameBits(spec.type(), expected.values(), actual, i)) {
      return Optional.empty();
    }
    Number want = (Number) Array.get(expected.values(), i);
    Number have = (Number) Array.get(actual, i);
    double bound = bound(spec, expected, i);
    double distance = Math.abs(want.doubleValue() - have.doubleValue());
    if (bound > 0 && distance <= bound && Double.isFinite(want.doubleValue())) {
      return Optional.empty();
    }
    return Optional.of(
        "result %d is %s, expected %s, allowed difference %s".formatted(i, have, want, bound));
  }

  /** Tells whether bits are equal; every NaN counts as the same. */
  private static boolean sameBits(ElementType type, Object expected, Object actual, int i) {
    return switch (type) {
      case F32 ->
          Float.floatToIntBits(((float[]) expected)[i])
              == Float.floatToIntBits(((float[]) actual)[i]);
      case F64 ->
          Double.doubleToLongBits(((double[]) expected)[i])
              == Double.doubleToLongBits(((double[]) actual)[i]);
      case I32 -> ((int[]) expected)[i] == ((int[]) actual)[i];
      case I64 -> ((long[]) expected)[i] == ((long[]) actual)[i];
    };
  }

  /**
   * Two sums of the same {@code m} terms, each added in an order of its own, with or without fused
   * products, differ by at most twice {@code g(m + 3)} times the sum of absolute terms, where
   * {@code g(j) = j u / (1 - j u)} and 3 counts the rounding of a product, a reciprocal and its
   * product (Higham 2002, lemma 3.1 and section 4.2). Results below the normal range add absolute
   * errors.
   */
  static double bound(StencilSpec spec, SeriesOracle.Expected expected, int i) {
    boolean sums =
        spec.reduction() == Reduction.SUM
            || spec.reduction() == Reduction.MEAN
            || spec.reduction() == Reduction.WEIGHTED_SUM;
    if (spec.accuracy() != Accuracy.FAST || !sums || !spec.type().isFloating()) {
      return 0;
    }
    double roundoff = SeriesOracle.unitRoundoff(spec.type());
    double terms = (spec.frame().width() + 3) * roundoff;
    double smallest = spec.type() == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
    return 2 * (terms / (1 - terms) * expected.magnitudes()[i] + spec.frame().width() * smallest);
  }
}
