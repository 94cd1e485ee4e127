/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import java.io.Serializable;
import scala.collection.Iterator;

/**
 * Which of the rows that a task reads are its own, once they are in order.
 *
 * @param before rows before its own, which are read for frames alone
 * @param rows its own
 * @param after rows after its own, which are read for frames alone
 */
public record RowSpan(long before, long rows, long after) implements Serializable {
  /** All rows, however many they are. */
  public static final RowSpan ALL = new RowSpan(0, Long.MAX_VALUE, 0);

  /**
   * Checks how many rows have been read.
   *
   * @throws IllegalStateException if they are not those that were counted before
   */
  public void check(long read) {
    if (!equals(ALL) && read != before + rows + after) {
      throw new IllegalStateException(
          ("a range of a series has %d rows, and %d were counted before; the rows below a window"
                  + " must be the same each time they are read")
              .formatted(read, before + rows + after));
    }
  }

  /** Returns the own rows among all, which are in order. */
  public <T> Iterator<T> of(Iterator<T> all) {
    return equals(ALL) ? all : all.slice(Math.toIntExact(before), Math.toIntExact(end()));
  }

  /** Returns the end of the own rows. */
  long end() {
    return before + rows;
  }
}
