/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

/** What may be done to the order of arithmetic. */
public enum Accuracy {
  /**
   * Per output, taps are added left to right starting from 0.0, each product and each sum rounded
   * separately; a mean is that sum divided by the count. The same bits on every engine.
   */
  EXACT,
  /**
   * Sums may be reassociated, products fused with sums and divisions done by reciprocals. Running
   * sums that subtract are not allowed: infinities and NaN stay within their frames.
   */
  FAST
}
