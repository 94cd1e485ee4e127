/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * A fraction in lowest terms, so that weights are rounded once, at the end.
 *
 * @param numerator carries the sign
 * @param denominator above 0
 */
record Rational(BigInteger numerator, BigInteger denominator) {
  static final Rational ZERO = of(0);
  static final Rational ONE = of(1);

  /** More digits than twice those of a double. */
  private static final MathContext DIGITS = new MathContext(50);

  Rational {
    BigInteger divisor = numerator.gcd(denominator);
    if (denominator.signum() < 0) {
      divisor = divisor.negate();
    }
    numerator = numerator.divide(divisor);
    denominator = denominator.divide(divisor);
  }

  static Rational of(long value) {
    return new Rational(BigInteger.valueOf(value), BigInteger.ONE);
  }

  Rational plus(Rational other) {
    return new Rational(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  Rational minus(Rational other) {
    return plus(new Rational(other.numerator.negate(), other.denominator));
  }

  Rational times(Rational other) {
    return new Rational(
        numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  Rational over(Rational other) {
    return new Rational(
        numerator.multiply(other.denominator), denominator.multiply(other.numerator));
  }

  boolean isZero() {
    return numerator.signum() == 0;
  }

  /** Returns the nearest double. */
  double toDouble() {
    return new BigDecimal(numerator).divide(new BigDecimal(denominator), DIGITS).doubleValue();
  }
}
