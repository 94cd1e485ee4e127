/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.rows.CommonDivisor;

/**
 * Columns of words whose distances have a divisor in common, as times of whole seconds or minutes
 * do: quotients of these. One for each column.
 */
final class Quotients {
  /** Batches that may have the divisor of the first of them, which may be less than their own. */
  private static final int MOST_BATCHES = 32;

  private final FormTrials trials = new FormTrials();
  private long[] quotients = new long[0];
  private CommonDivisor divisor; // of the batches before, or null
  private int batches; // that have had it

  /** Finds a divisor that some words have; false if there is none, or none is looked for. */
  boolean isTried(long[] words, int first, int until) {
    return trials.isDue()
        && ((divisor != null && batches < MOST_BATCHES) || isSampled(words, first, until));
  }

  private boolean isSampled(long[] words, int first, int until) {
    divisor = CommonDivisor.sampled(words, first, until);
    batches = 0;
    if (divisor == null) {
      trials.failed();
    }
    return divisor != null;
  }

  /** Divides the distances from the least word; false if there is one that has a remainder. */
  boolean divide(long[] words, int first, int until, long least) {
    int rows = until - first;
    quotients = quotients.length < rows ? new long[rows] : quotients;
    if (!divisor.divide(words, first, until, least, quotients)) {
      if (batches > 0) { // it is that of other batches
        return isSampled(words, first, until) && divide(words, first, until, least);
      }
      giveUp();
      return false;
    }
    return true;
  }

  /** Says that the quotients of this batch were a gain. */
  void keep() {
    batches++;
    trials.gained();
  }

  /** Says that the quotients of this batch were no gain. */
  void giveUp() {
    divisor = null;
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
