/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The rows of consecutive ranges, sorted range by range: what is sorted at a time stays near the
 * cache, and its memory is free before the next is read.
 */
final class SortedUnits extends AbstractIterator<InternalRow> {
  private final Iterator<Iterator<InternalRow>> units;
  private final Function<Iterator<InternalRow>, Iterator<InternalRow>> sort;
  private Iterator<InternalRow> sorted;

  SortedUnits(
      Iterator<Iterator<InternalRow>> units,
      Function<Iterator<InternalRow>, Iterator<InternalRow>> sort) {
    this.units = units;
    this.sort = sort;
  }

  @Override
  public boolean hasNext() {
    while (sorted == null || !sorted.hasNext()) {
      if (!units.hasNext()) {
        return false;
      }
      sorted = sort.apply(units.next());
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return sorted.next();
  }
}
