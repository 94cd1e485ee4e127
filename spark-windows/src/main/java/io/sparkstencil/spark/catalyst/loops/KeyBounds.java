/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.exec.CellColumn;

/**
 * Frames between two keys. Rows come in and go out by the comparisons of Spark's sliding frame, and
 * a bound that is no sum of numbers is evaluated only where Spark does: it may fail.
 *
 * @param column which source has the keys
 * @param descending whether greater keys come first
 * @param nullsFirst whether rows without a key do
 * @param lower the step to where frames begin; null if they begin with the series
 * @param upper the step to where they end; null if that is the last row of the series
 */
record KeyBounds(int column, boolean descending, boolean nullsFirst, KeyStep lower, KeyStep upper)
    implements FrameBounds {
  @Override
  public boolean isFromFirst() {
    return lower == null;
  }

  @Override
  public FrameEnds start() {
    return new Ends(this);
  }

  private static final class Ends extends FrameEnds {
    private final KeyBounds bounds;
    private final KeyBound lower; // null if frames begin with the series
    private final KeyBound upper; // null if frames end with it
    private final long flip; // makes the order ascending
    private CellColumn keys;
    private int row; // whose frame is looked for
    private boolean lowerKnown; // of this row
    private boolean upperKnown;

    Ends(KeyBounds bounds) {
      this.bounds = bounds;
      this.lower = bounds.lower == null ? null : new KeyBound(bounds.lower);
      this.upper = bounds.upper == null ? null : new KeyBound(bounds.upper);
      this.flip = bounds.descending ? -1 : 0;
    }

    @Override
    int needed() {
      return lower == null ? end() : first();
    }

    /** Moves over rows that have been read, integers with sums for bounds. */
    @Override
    int moveMany(FrameCells cells, int from, int count, int at) {
      CellColumn column = cells.columns()[bounds.column];
      boolean isSimple = lower != null && upper != null && column.validity() == null;
      if (!isSimple || !(column.array() instanceof long[] longs)) {
        return 0;
      }
      int rows = cells.rows();
      boolean readsMore = cells.hasMore();
      int until = sums(longs, from, Math.min(rows, from + count));
      long toLower = lower.added();
      long toUpper = upper.added();
      int[] firsts = firsts();
      int[] ends = ends();
      int first = first();
      int end = end();
      int done = 0;
      for (; from + done < until; done++) {
        long key = longs[from + done];
        long least = (key + toLower) ^ flip;
        long most = (key + toUpper) ^ flip;
        while (first < end && (longs[first] ^ flip) < least) {
          first++;
        }
        while (end < rows && (longs[end] ^ flip) <= most) {
          first += first == end && (longs[end] ^ flip) < least ? 1 : 0;
          end++;
        }
        if (end == rows && readsMore) {
          break; // more may belong to this frame
        }
        firsts[at + done] = first;
        ends[at + done] = end;
      }
      set(first, end);
      return done;
    }

    /**
     * Returns before which row all bounds are sums, from a row on. Keys are in order. Rows that are
     * asked about are twice as far each time, as clocks may change between any two of them.
     */
    private int sums(long[] longs, int from, int until) {
      if (from >= until || !areSums(longs[from], longs[from])) {
        return from;
      }
      int end = from + 1;
      while (end < until) {
        int next = Math.min(until, end + (end - from));
        if (!areSums(longs[from], longs[next - 1])) {
          break;
        }
        end = next;
      }
      return end;
    }

    private boolean areSums(long one, long other) {
      return lower.isSumBetween(one, other) && upper.isSumBetween(one, other);
    }

    @Override
    void move(FrameCells cells, int to) {
      cells.readUntil(upper == null ? Long.MAX_VALUE : to + 1L);
      keys = cells.columns()[bounds.column];
      row = to;
      lowerKnown = lower == null || add(lower);
      upperKnown = upper == null || add(upper);
      int first = first();
      int end = upper == null ? cells.rows() : end();
      while (lower != null && first < end && isBelow(first)) {
        first++;
      }
      while (upper != null && (end < cells.rows() || cells.readMore()) && !isAbove(end)) {
        first += first == end && lower != null && isBelow(end) ? 1 : 0;
        end++;
      }
      set(first, end);
    }

    /** Adds to the key of the row; false if the bound is to be evaluated. */
    private boolean add(KeyBound bound) {
      if (keys.isNull(row)) {
        bound.setNull();
        return true;
      }
      return keys.array() instanceof double[] reals
          ? bound.add(reals[row])
          : bound.add(((long[]) keys.array())[row]);
    }

    private boolean isBelow(int at) {
      if (!lowerKnown) {
        evaluate(lower);
        lowerKnown = true;
      }
      return compare(at, lower) < 0;
    }

    private boolean isAbove(int at) {
      if (!upperKnown) {
        evaluate(upper);
        upperKnown = true;
      }
      return compare(at, upper) > 0;
    }

    private void evaluate(KeyBound bound) {
      bound.evaluate(
          keys.array() instanceof double[] reals
              ? bound.step().boxed(0, reals[row])
              : bound.step().boxed(((long[]) keys.array())[row], 0));
    }

    /** Compares a key with a bound in the order of the rows. */
    private int compare(int at, KeyBound bound) {
      boolean isNull = keys.isNull(at);
      if (isNull || bound.isNull()) {
        boolean before = isNull == bounds.nullsFirst;
        return isNull && bound.isNull() ? 0 : before ? -1 : 1;
      }
      long key =
          keys.array() instanceof double[] reals
              ? WordType.ofDouble(reals[at])
              : ((long[]) keys.array())[at];
      return Long.compare(key ^ flip, bound.value() ^ flip);
    }
  }
}
