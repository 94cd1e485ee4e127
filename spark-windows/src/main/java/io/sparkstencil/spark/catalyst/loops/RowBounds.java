/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

/**
 * Frames between two rows.
 *
 * @param lower how many rows after the current one frames begin, negative before it; null if they
 *     begin with the series
 * @param upper how many rows after the current one the last one is; null if frames go to the last
 *     row of the series
 */
record RowBounds(Integer lower, Integer upper) implements FrameBounds {
  @Override
  public boolean isFromFirst() {
    return lower == null;
  }

  @Override
  public int column() {
    return -1;
  }

  @Override
  public FrameEnds start() {
    return new Ends(this);
  }

  private static final class Ends extends FrameEnds {
    private final boolean fromFirst;
    private final long lower;
    private final boolean toLast;
    private final long upper;

    Ends(RowBounds bounds) {
      this.fromFirst = bounds.lower == null;
      this.lower = fromFirst ? 0 : bounds.lower;
      this.toLast = bounds.upper == null;
      this.upper = toLast ? 0 : bounds.upper;
    }

    @Override
    int needed() {
      return fromFirst ? end() : first();
    }

    @Override
    void move(FrameCells cells, int row) {
      long wanted = toLast ? Long.MAX_VALUE : Math.max(0, row + upper + 1);
      int end = Math.max(end(), (int) Math.min(wanted, cells.readUntil(wanted)));
      int first = fromFirst ? 0 : (int) Math.min(end, Math.max(first(), row + lower));
      set(first, end);
    }
  }
}
