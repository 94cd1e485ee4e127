/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.io.Serializable;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * How many rows a range has, and between which keys they lie.
 *
 * @param rows all its rows
 * @param first its first key that is not null; null if there is none, or keys are not looked at
 * @param last its last key that is not null
 */
public record RangeExtent(long rows, UnsafeRow first, UnsafeRow last) implements Serializable {
  /** The extent of no rows. */
  public static final RangeExtent EMPTY = new RangeExtent(0, null, null);

  /** Tells whether a row has a key. */
  public boolean hasKeys() {
    return first != null;
  }

  /** Returns the extent of these rows and of others. */
  public RangeExtent and(RangeExtent other, Comparator<InternalRow> keys) {
    long all = rows + other.rows;
    if (!hasKeys() || !other.hasKeys()) {
      RangeExtent only = hasKeys() ? this : other;
      return new RangeExtent(all, only.first, only.last);
    }
    return new RangeExtent(
        all,
        keys.compare(first, other.first) <= 0 ? first : other.first,
        keys.compare(last, other.last) >= 0 ? last : other.last);
  }
}
