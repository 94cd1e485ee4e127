/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.rows.CommonDivisor;

/**
 * Columns of words whose distances have a divisor in common, as times of whole seconds or minutes
 * do: quotients of these. One for each column.
 */
final class Quotients {
  private final FormTrials trials = new FormTrials();
  private long[] quotients = new long[0];
  private CommonDivisor divisor;

  /** Finds a divisor that some words have; false if there is none, or none is looked for. */
  boolean isTried(long[] words, int first, int until) {
    if (!trials.isDue()) {
      return false;
    }
    divisor = CommonDivisor.sampled(words, first, until);
    if (divisor == null) {
      trials.failed();
    }
    return divisor != null;
  }

  /** Divides the distances from the least word; false if there is one that has a remainder. */
  boolean divide(long[] words, int first, int until, long least) {
    if (!divisor.divides(words, first, until, least)) {
      trials.failed();
      return false;
    }
    int rows = until - first;
    quotients = quotients.length < rows ? new long[rows] : quotients;
    for (int i = 0; i < rows; i++) {
      quotients[i] = divisor.quotient(words[first + i] - least);
    }
    return true;
  }

  /** Says that the quotients of this batch were a gain. */
  void keep() {
    trials.gained();
  }

  /** Says that the quotients of this batch were no gain. */
  void giveUp() {
    trials.failed();
  }

  /** Returns the divisor that was found last. */
  CommonDivisor divisor() {
    return divisor;
  }

  /** Returns the quotients that were made last, which begin at 0. */
  long[] quotients() {
    return quotients;
  }
}
