/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

/**
 * What becomes of a sum of bigint values whose cells, added from the first to the last, leave the
 * range of bigint on the way; as in Spark also where the whole sum would be in it again.
 */
public enum SumOverflow {
  /** The sum wraps, as Spark's does without ANSI mode. */
  WRAP,
  /** The job fails, as in ANSI mode. */
  FAIL,
  /** The sum is null, as that of {@code try_sum}. */
  NULL;

  /** Returns what Spark's {@code sum} does. */
  public static SumOverflow ofSum(boolean ansiEnabled) {
    return ansiEnabled ? FAIL : WRAP;
  }
}
