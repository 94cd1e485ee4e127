/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.RowRanges;
import io.sparkstencil.spark.catalyst.series.SeriesBatches;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a split keeps of its series, and what it sends: rows whose frames lie in the split stay, and
 * others go, with the rows beside them that their frames reach. A series without a row that stays,
 * or nearly so, goes as a whole.
 */
final class SplitParts implements SeriesBatches.Parts<SplitParts.Kept> {
  /**
   * What is kept for the rows of a chunk.
   *
   * @param own those that stay
   * @param sent those that are sent, by their marks
   */
  record Kept(EmittedRows own, Map<EdgeMark, EmittedRows> sent) {}

  private final SplitEdge edge;
  private final boolean none; // stays
  private final RowRanges own = new RowRanges();
  private final Map<EdgeMark, RowRanges> sent = new EnumMap<>(EdgeMark.class);
  private long read; // rows of all series so far

  /**
   * Creates the parts of no series yet.
   *
   * @param none whether no row stays
   */
  SplitParts(SplitEdge edge, boolean none) {
    this.edge = edge;
    this.none = none;
    for (EdgeMark mark : EdgeMark.values()) {
      sent.put(mark, new RowRanges());
    }
  }

  @Override
  public long[] begin(SeriesColumns series) {
    long rows = series.reader().remaining();
    long end = read + rows;
    if (none || rows <= 2L * edge.rows()) {
      sent.get(EdgeMark.WHOLE).add(read, end);
    } else {
      own.add(read + edge.before(), end - edge.after());
      sent.get(EdgeMark.HEAD).add(read, read + edge.rows());
      sent.get(EdgeMark.TAIL).add(end - edge.rows(), end);
    }
    read = end;
    return new long[] {rows};
  }

  @Override
  public Kept cut(int rows) {
    Map<EdgeMark, EmittedRows> each = new EnumMap<>(EdgeMark.class);
    sent.forEach((mark, ranges) -> each.put(mark, ranges.cut(rows)));
    return new Kept(own.cut(rows), each);
  }
}
