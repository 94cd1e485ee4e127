/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

/** Numbers of IEEE 754 binary16, which Java 17 has no conversions for. */
final class HalfFloats {
  private static final int FRACTION_BITS = 10;
  private static final int EXPONENT = 0x1f;
  private static final int BIAS = 15;

  private HalfFloats() {}

  /** Returns a number of 16 bits, exactly. */
  static float number(short bits) {
    int fraction = bits & 0x3ff;
    int exponent = (bits >> FRACTION_BITS) & EXPONENT;
    float size =
        switch (exponent) {
          case 0 -> Math.scalb((float) fraction, 1 - BIAS - FRACTION_BITS);
          case EXPONENT -> fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
          default -> Math.scalb((float) (0x400 | fraction), exponent - BIAS - FRACTION_BITS);
        };
    return bits < 0 ? -size : size;
  }

  /** Returns the number of 16 bits that is nearest; of two, the one whose last bit is 0. */
  static double rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value;
    }
    int exponent = Math.max(Math.getExponent(value), 1 - BIAS);
    double unit = Math.scalb(1.0, exponent - FRACTION_BITS);
    double nearest = Math.rint(value / unit) * unit;
    return Math.abs(nearest) > 65504 ? Math.copySign(Double.POSITIVE_INFINITY, value) : nearest;
  }

  /** Returns the bits of the number that is nearest. */
  static short bits(double value) {
    double nearest = rounded(value);
    int sign = Math.copySign(1, value) < 0 ? 0x8000 : 0;
    if (Double.isNaN(nearest)) {
      return 0x7e00;
    }
    double size = Math.abs(nearest);
    if (Double.isInfinite(size)) {
      return (short) (sign | (EXPONENT << FRACTION_BITS));
    }
    int exponent = Math.max(Math.getExponent(size), 1 - BIAS);
    int fraction = (int) Math.scalb(size, FRACTION_BITS - exponent);
    int biased = fraction < 0x400 ? 0 : exponent + BIAS;
    return (short) (sign | (biased << FRACTION_BITS) | (fraction & 0x3ff));
  }
}
