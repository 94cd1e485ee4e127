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
    if (cells == 0 || !spec.boundary().leavesMissing() || (clippedLeft == 0 && clippedRight == 0)) {
      return null;
    }
    if (spec.boundary().mode() == Boundary.Mode.VALID) {
      return between(cells, clippedLeft, cells - clippedRight);
    }
    if (spec.reduction() == Reduction.COUNT) {
      return null;
    }
    // Under shrink an output is null only where its frame lies outside the series altogether.
    int firstPresent = layout.missingLeft(piece) - layout.left();
    int endPresent = cells + layout.right() - layout.missingRight(piece);
    int from = Math.max(0, firstPresent - spec.frame().following());
    int until = Math.min(cells, endPresent + spec.frame().preceding());
    return from == 0 && until == cells ? null : between(cells, from, until);
  }

  private static byte[] between(int cells, int from, int until) {
    byte[] validity = new byte[cells];
    if (from < until) {
      Arrays.fill(validity, from, until, (byte) 1);
    }
    return validity;
  }
}
