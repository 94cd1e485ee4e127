/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Ranges of the rows of a task, which are handed out chunk by chunk. Used by one thread. */
public final class RowRanges {
  private record Range(long from, long until) {}

  private final Deque<Range> open = new ArrayDeque<>();
  private long lastFrom; // the last range, which may still grow
  private long lastUntil;
  private long cut; // rows of all chunks so far

  /** Adds a range, which may be empty, after all others. */
  public void add(long from, long until) {
    if (from != lastUntil) {
      close();
      lastFrom = from;
    }
    lastUntil = until;
  }

  private void close() {
    if (lastFrom < lastUntil) {
      open.add(new Range(lastFrom, lastUntil));
    }
    lastFrom = lastUntil;
  }

  /** Returns what the next {@code rows} rows have of the ranges. */
  public EmittedRows cut(int rows) {
    close();
    long end = cut + rows;
    List<EmittedRows.Range> ranges = new ArrayList<>();
    while (!open.isEmpty() && open.element().from < end) {
      Range next = open.remove();
      long until = Math.min(next.until, end);
      ranges.add(new EmittedRows.Range((int) (next.from - cut), (int) (until - next.from)));
      if (until < next.until) {
        open.addFirst(new Range(until, next.until));
      }
    }
    cut = end;
    return new EmittedRows(ranges);
  }
}
