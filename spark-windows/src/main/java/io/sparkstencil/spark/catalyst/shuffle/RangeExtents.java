/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.InternalRow;

/** Finds the extents of ranges. */
public final class RangeExtents implements RangeFinder {
  /** Extents that all map tasks together may bring to the driver. */
  private static final long MOST_EXTENTS = 1L << 19;

  private final SparkContext context;
  private final RowOrder order;
  private final boolean keyed;
  private RangeNotes<RangeExtent> notes; // null if nothing is found

  /**
   * Prepares the search.
   *
   * @param order the order of the rows
   * @param keyed whether to look at keys, of which there is then one column
   */
  public RangeExtents(SparkContext context, RowOrder order, boolean keyed) {
    this.context = context;
    this.order = order;
    this.keyed = keyed;
  }

  @Override
  public Factory finding(int maps, int ranges) {
    if ((long) maps * ranges > MOST_EXTENTS) {
      return RangeFinder.nothing();
    }
    notes = new RangeNotes<>(context);
    RowOrder by = keyed ? order : null;
    return notes.noting(ranges, order.attributes().size(), () -> new ExtentCollector(by)::another);
  }

  /** Tells whether the map tasks find extents, with keys if these are wanted. */
  public boolean findsExtents(boolean withKeys) {
    return notes != null && (keyed || !withKeys);
  }

  /**
   * Returns the extent of the ranges {@code [from, until)}, once the map tasks have run.
   *
   * @param withKeys whether keys are wanted
   */
  public RangeExtent extent(int from, int until, boolean withKeys) {
    Comparator<InternalRow> keys = keyed ? order.ofKeys() : null;
    RangeExtent found = RangeExtent.EMPTY;
    for (List<RangeExtent> map : notes.byMap()) {
      for (RangeExtent each : map.subList(from, until)) {
        found = each == null ? found : found.and(each, keys);
      }
    }
    return withKeys ? found : new RangeExtent(found.rows(), null, null);
  }
}
