/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter;
import org.apache.spark.sql.types.StructType;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Puts rows that are sorted by their key in an order of their own where keys are equal. Few equal
 * keys are sorted on the heap, many by an external sorter.
 */
public final class TieResolver extends AbstractIterator<InternalRow> {
  private static final int MOST_ROWS_ON_HEAP = 4096;

  private final Iterator<? extends InternalRow> sorted;
  private final RowOrder order;
  private final Comparator<InternalRow> comparator;
  private final TieOrder ties;
  private final StructType schema;
  private UnsafeRow current; // last row taken from `sorted`, or null
  private final UnsafeRow pending; // copy of the row before that
  private Iterator<InternalRow> resolved = ScalaInterop.noElements();

  /**
   * Resolves the ties of rows.
   *
   * @param sorted rows in order, each valid until the next is asked for
   * @param order the order that they are in
   * @param ties the order of rows that tie
   */
  public TieResolver(
      Iterator<? extends InternalRow> sorted, RowOrder order, TieOrder ties, StructType schema) {
    this.sorted = sorted;
    this.order = order;
    this.comparator = order.comparator();
    this.ties = ties;
    this.schema = schema;
    this.pending = UnsafeRow.createFromByteArray(64, schema.size());
  }

  @Override
  public boolean hasNext() {
    return resolved.hasNext() || current != null || sorted.hasNext();
  }

  @Override
  public InternalRow next() {
    if (resolved.hasNext()) {
      return resolved.next();
    }
    if (current == null) {
      if (!sorted.hasNext()) {
        throw new NoSuchElementException();
      }
      current = (UnsafeRow) sorted.next();
    }
    // Asking `sorted` whether there is more overwrites its row: copy it before.
    pending.copyFrom(current);
    if (!sorted.hasNext()) {
      current = null;
      return pending;
    }
    current = (UnsafeRow) sorted.next();
    if (!tie(current)) {
      return pending;
    }
    resolved = tiesOf(pending);
    return resolved.next();
  }

  private boolean tie(UnsafeRow row) {
    return comparator.compare(pending, row) == 0;
  }

  /** Takes all rows with the key of {@code first} and {@code current}, and sorts them. */
  private Iterator<InternalRow> tiesOf(UnsafeRow first) {
    List<InternalRow> few = new ArrayList<>();
    few.add(first.copy());
    while (current != null && tie(current) && few.size() < MOST_ROWS_ON_HEAP) {
      few.add(current.copy());
      current = sorted.hasNext() ? (UnsafeRow) sorted.next() : null;
    }
    if (current == null || !tie(current)) {
      few.sort(ties::compareTies);
      return scala.jdk.javaapi.CollectionConverters.asScala(few.iterator());
    }
    UnsafeExternalRowSorter sorter = RowSorter.create(order, ties, schema);
    few.forEach(row -> RowSorter.insert(sorter, row));
    while (current != null && tie(current)) {
      RowSorter.insert(sorter, current);
      current = sorted.hasNext() ? (UnsafeRow) sorted.next() : null;
    }
    return RowSorter.sort(sorter);
  }
}
