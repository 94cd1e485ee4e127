/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

/**
 * Columns of doubles that are decimal fractions of few digits, as measurements and prices are: as
 * integers, each of which gives its double, bit by bit, when it is divided by a power of ten. The
 * idea is that of ALP (Afroozeh, Kuffó, Boncz: ALP: Adaptive Lossless floating-Point Compression,
 * SIGMOD 2023). One for each column; what it has found in one batch it tries first in the next.
 */
final class DecimalFractions {
  /** Powers of ten, all of which are doubles. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private static final int SAMPLES = 16;

  private int digits; // behind the point, those of the last batch
  private final FormTrials trials = new FormTrials();
  private long[] integers = new long[0];

  /** Returns the divisor that belongs to so many digits behind the point. */
  static double divisor(int digits) {
    return POWERS[digits];
  }

  /**
   * Makes integers of doubles.
   *
   * @return the digits behind the point, or -1 if there is a double that is no such fraction
   */
  int find(long[] words, int first, int until) {
    if (!trials.isDue()) {
      return -1;
    }
    boolean made = isMade(words, first, until);
    if (!made) {
      int before = digits;
      digits = sampled(words, first, until);
      made = digits >= 0 && digits != before && isMade(words, first, until);
    }
    if (!made) {
      giveUp();
      return -1;
    }
    return digits;
  }

  /** Says that the integers of this batch were a gain. */
  void keep() {
    trials.gained();
  }

  /** Says that the integers of this batch were no gain, or that there are none. */
  void giveUp() {
    digits = 0;
    trials.failed();
  }

  /** Returns the integers that were made last, which begin at 0. */
  long[] integers() {
    return integers;
  }

  /** Returns the digits that some of the doubles need, or -1 if one is no fraction. */
  private static int sampled(long[] words, int first, int until) {
    int needed = 0;
    int step = Math.max(1, (until - first) / SAMPLES);
    for (int i = first; i < until; i += step) {
      while (!isFraction(words[i], POWERS[needed])) {
        if (++needed == POWERS.length) {
          return -1;
        }
      }
    }
    return needed;
  }

  private static boolean isFraction(long word, double divisor) {
    long integer = integer(word, divisor);
    return Double.doubleToRawLongBits(integer / divisor) == word;
  }

  private static long integer(long word, double divisor) {
    return (long) Math.rint(Double.longBitsToDouble(word) * divisor);
  }

  private boolean isMade(long[] words, int first, int until) {
    int count = until - first;
    if (integers.length < count) {
      integers = new long[count];
    }
    double divisor = POWERS[digits];
    long differs = 0;
    for (int i = 0; i < count; i++) {
      long word = words[first + i];
      long integer = integer(word, divisor);
      differs |= Double.doubleToRawLongBits(integer / divisor) ^ word;
      integers[i] = integer;
    }
    return differs == 0;
  }
}
