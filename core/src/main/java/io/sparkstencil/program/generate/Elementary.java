/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static io.sparkstencil.program.Expression.constant;
import static io.sparkstencil.program.Expression.select;

import io.sparkstencil.program.Expression;
import java.util.function.DoubleUnaryOperator;

/**
 * Elementary functions as graphs of the operations that programs have, each of which is rounded
 * once on every engine: so their bits are the same everywhere, as those of no library are.
 * Arguments are reduced, and what is left is the Taylor series of the function. They work for
 * {@code float} and {@code double} alike. NaN gives NaN.
 *
 * <pre>{@code
 * StencilProgram decay =
 *     StencilProgram.of(
 *         2,
 *         builder -> {
 *           Field u = builder.field("u");
 *           builder.update(u, Elementary.exp(u.here().negated()));
 *         });
 * }</pre>
 */
public final class Elementary {
  /** Half of pi in parts, of which all but the last have few bits: their multiples are exact. */
  private static final double[] HALF_PI = {
    0x1.92p0, 0x1.fb4p-12, 0x1.4442d18p-24, 0x1.1a62633145c07p-54
  };

  /** The logarithm of 2, likewise. */
  private static final double[] LOG_2 = {0x1.62p-1, 0x1.c85fdf44p-10, 0x1.9ef35793c7673p-41};

  /** All exponents to 1023 are sums of these; 2^128 is more than {@code float} has. */
  private static final int[] EXPONENTS = {512, 256, 64, 64, 64, 32, 16, 8, 4, 2, 1};

  /** What {@code exp} of is 0 or infinite, whatever the type. */
  private static final double MOST_EXPONENT = 760;

  private static final double[] ARC_TANGENT = series(11, n -> (n % 2 == 0 ? 1 : -1) / (2 * n + 1));

  /** Of {@code (atanh(r) / r - 1) / r^2}. */
  private static final double[] LOGARITHM = series(10, n -> 1 / (2 * n + 3));

  private static final double[] SINE = series(9, n -> (n % 2 == 0 ? 1 : -1) / factorial(2 * n + 1));
  private static final double[] COSINE = series(9, n -> (n % 2 == 0 ? 1 : -1) / factorial(2 * n));

  /** Of {@code (exp(r) - 1) / r}. */
  private static final double[] EXPONENTIAL = series(14, n -> 1 / factorial(n + 1));

  private Elementary() {}

  private static double[] series(int terms, DoubleUnaryOperator coefficient) {
    double[] coefficients = new double[terms];
    for (int n = 0; n < terms; n++) {
      coefficients[n] = coefficient.applyAsDouble(n);
    }
    return coefficients;
  }

  private static double factorial(double n) {
    return n < 2 ? 1 : n * factorial(n - 1);
  }

  private static Expression polynomial(Expression x, double[] coefficients) {
    Expression sum = constant(coefficients[coefficients.length - 1]);
    for (int n = coefficients.length - 2; n >= 0; n--) {
      sum = sum.times(x).plus(coefficients[n]);
    }
    return sum;
  }

  private static Expression signed(Expression size, Expression sign) {
    return select(sign.lessThan(constant(0)), size.negated(), size);
  }

  /**
   * Returns the whole number next to one of at most 2^21 in size. Adding a large number leaves no
   * bits for a fraction; which number that is depends on the type.
   */
  private static Expression whole(Expression x) {
    Expression ofFloat = x.plus(0x1.8p23).minus(0x1.8p23); // in double, some digits are left
    Expression ofDouble = ofFloat.plus(0x1.8p52).minus(0x1.8p52); // in float, nothing is left
    return select(ofFloat.minus(ofDouble).abs().atMost(constant(0.5)), ofDouble, ofFloat);
  }

  /** Returns {@code x} less a multiple of what has several parts. */
  private static Expression reduced(Expression x, Expression multiple, double[] parts) {
    Expression rest = x;
    for (double part : parts) {
      rest = rest.minus(multiple.times(part));
    }
    return rest;
  }

  /** Returns the arc tangent, in radians. */
  public static Expression atan(Expression x) {
    return signed(atanOfSize(x.abs()), x);
  }

  /** Returns the arc tangent of what is 0 or above. */
  static Expression atanOfSize(Expression size) {
    Expression steep = constant(1).lessThan(size);
    Expression angle = atanUpToOne(select(steep, constant(1).over(size), size));
    return select(steep, constant(Math.PI / 2).minus(angle), angle);
  }

  /** Returns the arc tangent of a number from 0 to 1. */
  private static Expression atanUpToOne(Expression ratio) {
    Expression zero = constant(0);
    Expression low = ratio.lessThan(constant(3.0 / 16));
    Expression middle = ratio.lessThan(constant(9.0 / 16));
    Expression near = select(low, zero, select(middle, constant(3.0 / 8), constant(3.0 / 4)));
    Expression angle = select(low, zero, select(middle, arc(3.0 / 8), arc(3.0 / 4)));
    Expression rest = ratio.minus(near).over(ratio.times(near).plus(1));
    Expression square = rest.times(rest);
    return angle.plus(rest.times(polynomial(square, ARC_TANGENT)));
  }

  /**
   * Returns the angle from the first axis to a point, in radians from -pi to pi; 0 for the point
   * (0, 0). A zero has no sign.
   *
   * @param y the position along the second axis
   * @param x the position along the first axis
   */
  public static Expression atan2(Expression y, Expression x) {
    Expression zero = constant(0);
    Expression greater = x.abs().max(y.abs());
    Expression lesser = x.abs().min(y.abs());
    Expression ratio =
        select(
            greater.equalTo(zero),
            zero,
            select(greater.equalTo(lesser), constant(1), lesser.over(greater)));
    Expression first = atanUpToOne(ratio);
    Expression halfPi = constant(Math.PI / 2);
    Expression steep = select(x.abs().lessThan(y.abs()), halfPi.minus(first), first);
    return signed(select(x.lessThan(zero), constant(Math.PI).minus(steep), steep), y);
  }

  private static Expression arc(double x) {
    return constant(StrictMath.atan(x));
  }

  /** Returns the sine of an angle in radians; NaN beyond 3,294,000 in size, 6430 of float. */
  public static Expression sin(Expression x) {
    return sine(x, 0);
  }

  /** Returns the cosine of an angle in radians; NaN beyond 3,294,000 in size, 6430 of float. */
  public static Expression cos(Expression x) {
    return sine(x, 1);
  }

  /** Returns the sine of an angle and some quarters of a circle. */
  private static Expression sine(Expression x, int quarters) {
    Expression multiple = whole(x.times(2 / Math.PI));
    Expression rest = reduced(x, multiple, HALF_PI);
    Expression square = rest.times(rest);
    Expression sine = rest.times(polynomial(square, SINE));
    Expression cosine = polynomial(square, COSINE);
    Expression quarter = multiple.plus(quarters);
    Expression turned = quarter.minus(whole(quarter.times(0.25)).times(4)); // -2 to 2
    Expression odd = turned.abs().equalTo(constant(1));
    Expression value = select(odd, cosine, sine);
    Expression below = turned.equalTo(constant(-1)).or(turned.abs().equalTo(constant(2)));
    Expression signed = select(below, value.negated(), value);
    return select(isReducible(multiple), signed, constant(-1).minus(square).sqrt());
  }

  /** Whether multiples of the parts of {@link #HALF_PI} are exact: to 2^12 in float. */
  private static Expression isReducible(Expression multiple) {
    Expression ofDouble = multiple.plus(0x1.8p52).minus(0x1.8p52); // in float, nothing is left
    Expression size = multiple.abs();
    Expression inDouble = size.atMost(constant(0x1p21)).and(ofDouble.equalTo(multiple));
    return size.atMost(constant(0x1p12)).or(inDouble);
  }

  /** A power of e: {@code (1 + less) * 2^exponent}. */
  private record Power(Expression less, Expression exponent) {
    static Power of(Expression x) {
      Expression bounded = x.max(constant(-MOST_EXPONENT)).min(constant(MOST_EXPONENT));
      Expression exponent = whole(bounded.times(1 / Math.log(2)));
      Expression rest = reduced(bounded, exponent, LOG_2);
      return new Power(rest.times(polynomial(rest, EXPONENTIAL)), exponent);
    }

    /** Small powers of 2 come first, so that nothing but the last product is rounded. */
    Expression value() {
      Expression size = exponent.abs();
      Expression grows = constant(0).lessThan(exponent);
      Expression most = constant(1024).atMost(size);
      Expression left = select(most, size.minus(1024), size);
      Expression[] factors = new Expression[EXPONENTS.length];
      for (int i = 0; i < factors.length; i++) {
        Expression has = constant(EXPONENTS[i]).atMost(left);
        factors[i] = select(has, power(grows, EXPONENTS[i]), constant(1));
        left = select(has, left.minus(EXPONENTS[i]), left);
      }
      Expression value = less.plus(1);
      for (int i = factors.length - 1; i >= 0; i--) {
        value = value.times(factors[i]);
      }
      Expression half = select(most, power(grows, 512), constant(1));
      return value.times(half).times(half);
    }

    private static Expression power(Expression grows, int exponent) {
      return select(
          grows, constant(Math.scalb(1.0, exponent)), constant(Math.scalb(1.0, -exponent)));
    }
  }

  private static Expression orNan(Expression x, Expression value) {
    return select(x.equalTo(x), value, x);
  }

  /** Returns e to the power of a number. */
  public static Expression exp(Expression x) {
    return orNan(x, Power.of(x).value());
  }

  /** Returns the hyperbolic tangent. */
  public static Expression tanh(Expression x) {
    Expression size = x.abs().min(constant(30)); // beyond, it is 1
    Power power = Power.of(size.plus(size));
    Expression less =
        select(power.exponent().equalTo(constant(0)), power.less(), power.value().minus(1));
    Expression value = signed(less.over(less.plus(2)), x);
    return select(x.equalTo(constant(0)).or(x.equalTo(x).not()), x, value);
  }

  /** Returns the natural logarithm: minus infinity of 0, NaN of numbers below. */
  public static Expression log(Expression x) {
    Expression fraction = x;
    Expression exponent = constant(0);
    for (int power : EXPONENTS) {
      Expression large = constant(Math.scalb(1.0, power)).atMost(fraction);
      exponent = select(large, exponent.plus(power), exponent);
      fraction = select(large, fraction.times(Math.scalb(1.0, -power)), fraction);
    }
    for (int i = -1; i < EXPONENTS.length; i++) { // twice the largest, for numbers of few bits
      int power = EXPONENTS[Math.max(i, 0)];
      Expression small = fraction.lessThan(constant(Math.scalb(1.0, 1 - power)));
      exponent = select(small, exponent.minus(power), exponent);
      fraction = select(small, fraction.times(Math.scalb(1.0, power)), fraction);
    }
    Expression above = constant(Math.sqrt(2)).lessThan(fraction);
    exponent = select(above, exponent.plus(1), exponent);
    fraction = select(above, fraction.times(0.5), fraction);
    Expression ratio = fraction.minus(1).over(fraction.plus(1));
    Expression square = ratio.times(ratio);
    Expression twice = ratio.plus(ratio);
    Expression log = twice.plus(twice.times(square.times(polynomial(square, LOGARITHM))));
    for (int i = LOG_2.length - 1; i >= 0; i--) {
      log = log.plus(exponent.times(LOG_2[i]));
    }
    Expression infinite = x.times(0.5).equalTo(x).and(constant(0).lessThan(x));
    Expression positive = select(infinite, x, log);
    Expression none = constant(-1).over(x.abs()); // of 0, minus infinity
    return select(
        x.equalTo(constant(0)), none, select(x.lessThan(constant(0)), x.sqrt(), positive));
  }
}
