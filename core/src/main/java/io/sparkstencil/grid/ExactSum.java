/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * The exact sum of doubles, rounded once at the end: it does not depend on the order of addition,
 * and so not on how cells are distributed. Not safe for several threads.
 *
 * <p>A fixed-point number of 64-bit limbs that hold 32 bits each: a mantissa is added to two or
 * three of them, and carries wait until they could overflow.
 */
public final class ExactSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int LIMB_BITS = 32;
  private static final long LIMB_MASK = 0xFFFFFFFFL;

  /** The weight of bit 0: that of the smallest subnormal double. */
  private static final int LOWEST_EXPONENT = -1074;

  /** All exponents of doubles, and room for the sum of 2^63 of the largest. */
  private static final int LIMBS = (1024 - LOWEST_EXPONENT + 63) / LIMB_BITS + 2;

  /** How often a limb takes 32 more bits before it could overflow. */
  private static final int MOST_PENDING = 1 << 30;

  private final long[] limbs = new long[LIMBS];
  private int pending;

  /** What is not finite among the terms, added up as doubles are; 0 for nothing. */
  private double special;

  /** Whether each term was -0.0. */
  private boolean onlyNegativeZeros = true;

  private boolean empty = true;

  /** Adds a term. */
  public void add(double value) {
    empty = false;
    if (value == 0) {
      onlyNegativeZeros &= Double.doubleToRawLongBits(value) != 0;
      return;
    }
    onlyNegativeZeros = false;
    long bits = Double.doubleToRawLongBits(value);
    int exponent = (int) (bits >>> 52) & 0x7FF;
    if (exponent == 0x7FF) {
      special += value;
      return;
    }
    long mantissa = bits & 0xFFFFFFFFFFFFFL;
    if (exponent == 0) {
      exponent = 1;
    } else {
      mantissa |= 1L << 52;
    }
    addBits(mantissa, exponent - 1, bits < 0);
    if (++pending == MOST_PENDING) {
      carry();
    }
  }

  private void addBits(long mantissa, int shift, boolean negative) {
    int limb = shift / LIMB_BITS;
    int bit = shift % LIMB_BITS;
    long low = (mantissa << bit) & LIMB_MASK;
    long middle = (mantissa >>> (LIMB_BITS - bit)) & LIMB_MASK;
    long high = bit == 0 ? 0 : mantissa >>> (2 * LIMB_BITS - bit);
    limbs[limb] += negative ? -low : low;
    limbs[limb + 1] += negative ? -middle : middle;
    limbs[limb + 2] += negative ? -high : high;
  }

  /** Adds the square of a number, exactly unless it overflows or underflows. */
  public void addSquare(double value) {
    double square = value * value;
    add(square);
    double rest = Math.fma(value, value, -square);
    if (rest != 0 && Double.isFinite(square)) {
      add(rest);
    }
  }

  /** Adds the terms of another sum. */
  public void add(ExactSum other) {
    carry();
    other.carry();
    for (int i = 0; i < LIMBS; i++) {
      limbs[i] += other.limbs[i];
    }
    special += other.special;
    onlyNegativeZeros &= other.onlyNegativeZeros;
    empty &= other.empty;
    pending = 1;
  }

  /** Leaves 32 bits in each limb but the last, which has the sign. */
  private void carry() {
    for (int i = 0; i < LIMBS - 1; i++) {
      long over = limbs[i] >> LIMB_BITS;
      limbs[i] -= over << LIMB_BITS;
      limbs[i + 1] += over;
    }
    pending = 0;
  }

  /** Returns the sum, rounded to the nearest double, ties to even; 0 without terms. */
  public double value() {
    if (special != 0) {
      return special; // infinite or NaN, neither of which equals 0
    }
    carry();
    BigInteger sum = BigInteger.ZERO;
    for (int i = LIMBS - 1; i >= 0; i--) {
      sum = sum.shiftLeft(LIMB_BITS).add(BigInteger.valueOf(limbs[i]));
    }
    if (sum.signum() == 0) {
      return !empty && onlyNegativeZeros ? -0.0 : 0.0;
    }
    double magnitude = rounded(sum.abs());
    return sum.signum() < 0 ? -magnitude : magnitude;
  }

  private static double rounded(BigInteger sum) {
    int drop = Math.max(0, sum.bitLength() - 53);
    BigInteger kept = sum.shiftRight(drop);
    if (drop > 0 && sum.testBit(drop - 1)) {
      boolean more = sum.getLowestSetBit() < drop - 1;
      if (more || kept.testBit(0)) {
        kept = kept.add(BigInteger.ONE);
      }
    }
    // 53 bits are exact, and so is the scale: nothing below the smallest subnormal is left
    return Math.scalb((double) kept.longValueExact(), drop + LOWEST_EXPONENT);
  }
}
