/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.staging;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import java.util.Arrays;

/** Which results are null because of missing cells alone: a matter of the layout, not of values. */
public final class ResultValidity {
  private ResultValidity() {}

  /**
   * Returns validity bytes for the outputs of a piece without nulls, or null if all are there.
   *
   * @return shape {@code [cells(piece)]}
   */
  public static byte[] ofPiece(StagingLayout layout, int piece, StencilSpec spec) {
    int cells = layout.cells(piece);
    int clippedLeft = layout.clippedLeft(piece, spec);
    int clippedRight = layout.clippedRight(piece, spec);
    if (cells == 0 || (clippedLeft == 0 && clippedRight == 0)) {
      return null;
    }
    byte[] validity = new byte[cells];
    if (spec.boundary().mode() == Boundary.Mode.VALID) {
      if (clippedLeft < cells - clippedRight) {
        Arrays.fill(validity, clippedLeft, cells - clippedRight, (byte) 1);
      }
      return validity;
    }
    if (spec.reduction() == Reduction.COUNT) {
      return null;
    }
    // Under shrink an output is null only where its frame lies outside the series altogether.
    int staged = layout.left() + cells + layout.right();
    int firstPresent = layout.missingLeft(piece);
    int lastPresent = staged - layout.missingRight(piece) - 1;
    boolean allThere = true;
    for (int i = 0; i < cells; i++) {
      int frameFirst = layout.left() + i - spec.frame().preceding();
      int frameLast = layout.left() + i + spec.frame().following();
      boolean there = Math.max(frameFirst, firstPresent) <= Math.min(frameLast, lastPresent);
      validity[i] = there ? (byte) 1 : 0;
      allThere &= there;
    }
    return allThere ? null : validity;
  }
}
