/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.exec.StagePlan;
import java.io.Serializable;

/**
 * The rows at an end of what a split has of a series.
 *
 * @param before how many rows before their own frames reach: so many of the first rows have frames
 *     that reach out of the split
 * @param after how many rows after their own, and so many of the last rows
 */
record SplitEdge(int before, int after) implements Serializable {
  static SplitEdge of(StagePlan plan) {
    return new SplitEdge(plan.left(), plan.right());
  }

  /**
   * Returns how many rows of each end are sent: those whose frames reach out of the split, those
   * that these frames reach within it, and one more for the rules at the ends of a series.
   */
  int rows() {
    return before + after + 1;
  }
}
