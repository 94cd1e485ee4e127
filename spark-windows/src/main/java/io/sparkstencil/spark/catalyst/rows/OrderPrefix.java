/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortPrefix;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.SortPrefixUtils;
import org.apache.spark.util.collection.unsafe.sort.PrefixComparator;
import org.apache.spark.util.collection.unsafe.sort.PrefixComparators;

/**
 * The first key of an order as a number: rows whose numbers differ are ordered as these, ascending.
 * Of rows with the same number nothing is known, unless {@link #decides}.
 */
final class OrderPrefix {
  private final RowOrder order;
  private final boolean whole;
  private final SortPrefix expression; // null where the key is read from the row
  private final UnsafeProjection projection;
  private final boolean ordered; // whether prefixes of such keys are in their order
  private final long flip;
  private final boolean descending;
  private boolean nulls;

  OrderPrefix(RowOrder order) {
    this.order = order;
    if (order.sortOrder().isEmpty()) {
      this.whole = true; // all rows tie
      this.expression = null;
      this.projection = null;
      this.ordered = false;
      this.flip = 0;
      this.descending = false;
      return;
    }
    SortOrder first = order.sortOrder().apply(0);
    this.whole = order.isPrefix();
    PrefixComparator comparator = SortPrefixUtils.getPrefixComparator(first);
    if (order.isIntegral()) {
      this.expression = null;
      this.projection = null;
      this.ordered = true;
      this.flip = 0;
      this.descending = false;
    } else {
      this.expression = new SortPrefix(first);
      this.projection = UnsafeProjection.create(ScalaInterop.seqOf(expression), order.attributes());
      this.ordered =
          order.hasPrefixes() && comparator instanceof PrefixComparators.RadixSortSupport;
      boolean signed = !ordered || ((PrefixComparators.RadixSortSupport) comparator).sortSigned();
      this.flip = signed ? 0 : Long.MIN_VALUE;
      this.descending =
          ordered && ((PrefixComparators.RadixSortSupport) comparator).sortDescending();
    }
  }

  long of(UnsafeRow row) {
    if (!ordered) {
      return 0;
    }
    if (expression == null) {
      if (order.isIntegralNull(row)) {
        nulls = true;
        return Long.MIN_VALUE;
      }
      return order.integralKey(row);
    }
    UnsafeRow projected = projection.apply(row);
    boolean none = projected.isNullAt(0);
    nulls |= none;
    long raw = (none ? expression.nullValue() : projected.getLong(0)) ^ flip;
    return descending ? ~raw : raw;
  }

  /** Tells whether, of the rows seen so far, those with the same number tie. */
  boolean decides() {
    return whole && !nulls;
  }
}
