/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import java.util.List;

/** Whether the order of additions is fixed, and with it the bits of the results. */
public enum Accuracy {
  /**
   * Each output adds its cells from left to right, starting from 0.0, and rounds every product and
   * every sum separately; a mean is that sum divided by the count. Every engine gives the same
   * bits.
   */
  EXACT,
  /**
   * As exact, but for programs: a sum with a product among its operands rounds both at once, by one
   * rule that every engine follows. Every engine gives the same bits, and GPUs compute at twice the
   * rate.
   */
  FMA,
  /**
   * Sums may be added in another order, products fused with sums, and divisions replaced by
   * multiplications. Running sums that subtract are not allowed, so infinities and NaN affect only
   * the frames that contain them.
   */
  FAST;

  /** Returns the accuracies of reductions of frames, which have no rule for {@link #FMA}. */
  public static List<Accuracy> ofFrames() {
    return List.of(EXACT, FAST);
  }
}
