/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

/**
 * A divisor that all numbers of a column have in common, from its least number on: whole seconds
 * among microseconds, say. Quotients are found by a multiplication (Warren, Hacker's Delight,
 * 10-17: exact division by constants).
 */
public final class CommonDivisor {
  private static final int SAMPLES = 16;

  /** Each step has twice as many right bits of the inverse, of which an odd number has three. */
  private static final int STEPS = 5;

  private final long value;
  private final int shift; // zeros at its end
  private final long inverse; // of the odd number before these
  private final long most; // quotient

  private CommonDivisor(long value) {
    this.value = value;
    this.shift = Long.numberOfTrailingZeros(value);
    long odd = value >>> shift;
    long found = odd;
    for (int i = 0; i < STEPS; i++) {
      found *= 2 - odd * found;
    }
    this.inverse = found;
    this.most = Long.divideUnsigned(-1L, value);
  }

  /** Returns a power of 2, which 1 is. */
  static CommonDivisor ofBits(int bits) {
    return new CommonDivisor(1L << bits);
  }

  /** Returns the greatest number above 1 that divides the distances of some words, or null. */
  public static CommonDivisor sampled(long[] words, int first, int until) {
    long found = 0;
    int step = Math.max(1, (until - first) / SAMPLES);
    for (int i = first + 1; i < until && found != 1; i += step) {
      found = greatest(found, Math.abs(words[i] - words[first]));
    }
    return found > 1 ? new CommonDivisor(found) : null;
  }

  private static long greatest(long first, long second) {
    long a = first;
    long b = second;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /** Returns the divisor itself. */
  public long value() {
    return value;
  }

  /** Returns the quotient of a multiple, without a sign. */
  public long quotient(long multiple) {
    return Long.rotateRight(multiple * inverse, shift);
  }

  /**
   * Divides the distances of words from the least of them; false if there is a remainder.
   *
   * @param quotients receives the quotients from its first place on, any if there is a remainder
   */
  public boolean divide(long[] words, int first, int until, long least, long[] quotients) {
    long limit = most;
    long beyond = 0; // its sign says whether a quotient was
    int count = until - first;
    for (int i = 0; i < count; i++) {
      long quotient = quotient(words[first + i] - least);
      beyond |= quotient | (limit - quotient);
      quotients[i] = quotient;
    }
    return beyond >= 0;
  }
}
