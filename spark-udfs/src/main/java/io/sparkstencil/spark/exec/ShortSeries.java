/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;

/**
 * Frames as far as short series need them. A frame that is wider than its series would be staged
 * with more cells beside the series than in it; where the rule is to shrink, what lies beyond is
 * left out anyway.
 */
public final class ShortSeries {
  /** For series of any length. */
  public static final int ANY_LENGTH = Integer.MAX_VALUE;

  /** Frames are not made shorter than this, so that tasks change them rarely. */
  private static final int LEAST_LENGTH = 16;

  private ShortSeries() {}

  /**
   * Returns for series of what length a chunk's stencils are to be made: a power of two, or {@link
   * #ANY_LENGTH} where frames are not to be cut.
   */
  static int lengthFor(StagePlan plan, SeriesHalos halos, SeriesChunk<?> chunk) {
    return halos.areEnds() ? lengthFor(plan.reach(), chunk.longestSeries()) : ANY_LENGTH;
  }

  /** Returns that length for frames of {@code reach} and series of up to {@code longest} cells. */
  public static int lengthFor(int reach, int longest) {
    int least = Math.max(LEAST_LENGTH, longest);
    return least < reach ? Integer.highestOneBit(2 * least - 1) : ANY_LENGTH;
  }

  /** Returns a stencil with the same results in whole series of at most {@code length} cells. */
  public static StencilSpec clip(StencilSpec spec, int length) {
    Stencil stencil = spec.stencil();
    Frame frame = stencil.frame();
    boolean needed = Math.max(Math.abs(frame.preceding()), Math.abs(frame.following())) > length;
    if (!needed
        || stencil.boundary().mode() != Boundary.Mode.SHRINK
        || stencil.reduction() == Reduction.WEIGHTED_SUM) {
      return spec;
    }
    // A cell `length` away is outside of the series, as all cells further away are.
    Frame clipped = Frame.offsets(limit(frame.first(), length), limit(frame.last(), length));
    return new StencilSpec(
        new Stencil(
            stencil.reduction(), clipped, stencil.weights(), stencil.boundary(), spec.accuracy()),
        spec.type());
  }

  private static int limit(int offset, int length) {
    return Math.max(-length, Math.min(length, offset));
  }
}
