/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

/**
 * Which batches of a column are tried with a form that not all columns have: after others that were
 * in vain, more and more of the next are not.
 */
final class FormTrials {
  /** The most batches in a row that are not tried. */
  private static final int MOST_SKIPPED = 256;

  private int vain; // batches that were tried in a row
  private int skipped; // batches that will not be tried

  /** Tells whether the next batch is to be tried. */
  boolean isDue() {
    if (skipped > 0) {
      skipped--;
      return false;
    }
    return true;
  }

  /** Says that a trial was a gain. */
  void gained() {
    vain = 0;
  }

  /** Says that a trial was in vain. */
  void failed() {
    skipped = Math.min(MOST_SKIPPED, 1 << Math.min(vain++, Integer.SIZE - 2)) - 1;
  }
}
