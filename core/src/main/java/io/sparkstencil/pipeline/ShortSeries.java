/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.model.StencilSpec;

/**
 * For what length of series stencils are made. A frame that is wider than its series would be
 * staged with more cells beside the series than in it; {@link StencilSpec#withinSeriesOf} leaves
 * out those that no result depends on.
 */
public final class ShortSeries {
  /** For series of any length. */
  public static final int ANY_LENGTH = Integer.MAX_VALUE;

  /** Frames are not made shorter than this, so that tasks change them rarely. */
  private static final int LEAST_LENGTH = 16;

  private ShortSeries() {}

  /**
   * Returns for series of what length stencils whose frames reach over {@code reach} cells are made
   * where the longest has {@code longest}: a power of two, or {@link #ANY_LENGTH} where frames are
   * not to be cut.
   */
  public static int lengthFor(int reach, int longest) {
    int least = Math.max(LEAST_LENGTH, longest);
    return least < reach ? Integer.highestOneBit(2 * least - 1) : ANY_LENGTH;
  }
}
