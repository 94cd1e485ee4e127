/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;

/**
 * How the rows of a unit are put in order: in memory as long as they take no more than a part of
 * what a core has, else by Spark's sorter, which spills.
 *
 * @param keys the order of the series' keys, or null if all rows are one series
 * @param order the order within a series
 * @param whole the order of keys, then within a series
 * @param ties the order of rows that tie, so that the result depends on the rows alone and not on
 *     the order in which they arrive; null if that does not matter
 * @param schema the rows
 */
public record UnitOrder(
    RowOrder keys, RowOrder order, RowOrder whole, TieOrder ties, StructType schema)
    implements Serializable {

  /**
   * Returns the order of rows that are all one series.
   *
   * @param ties the order of rows that tie; null if they stay as they come
   */
  public static UnitOrder ofOneSeries(RowOrder order, TieOrder ties, StructType schema) {
    return new UnitOrder(null, order, order, ties, schema);
  }

  /**
   * Pages of Spark's that rows of a task may take, those that earlier units still hold among them:
   * a quarter to a half of what a core has, of which Spark makes 8 to 16 pages. The sorter, which
   * takes over with the rows still in memory, finds at least as much.
   */
  private static final int MOST_PAGES = 4;

  /** Rows that have been collected in memory and have to leave it. */
  public interface Collected {
    /** Hands out all rows, in no order; each is there until the next. */
    void forEach(Consumer<UnsafeRow> consumer);

    /** Gives their memory back. */
    void release();
  }

  /** Returns the bytes that all rows of a task may take together. */
  public static long mostBytes() {
    return MOST_PAGES * SparkEnv.get().memoryManager().pageSizeBytes();
  }

  /**
   * Sorts what has been collected, and the rest, with Spark's sorter.
   *
   * @return rows in this order, except for those that tie
   */
  public Iterator<InternalRow> sortedBySpark(
      Collected collector, Iterator<InternalRow> rest, RowPages pages, SQLMetric sortNanos) {
    pages.trim();
    UnsafeExternalRowSorter sorter = RowSorter.create(whole, null, schema);
    collector.forEach(row -> RowSorter.insert(sorter, row));
    collector.release();
    while (rest.hasNext()) {
      RowSorter.insert(sorter, rest.next());
    }
    Iterator<InternalRow> sorted = RowSorter.sort(sorter);
    sortNanos.add(sorter.getSortTimeNanos());
    return sorted;
  }

  /** Returns rows that are in this order already, except for those that tie. */
  public RowSource sorted(Iterator<? extends InternalRow> rows) {
    return new SeriesRows(
        ties == null ? rows : new TieResolver(rows, whole, ties, schema),
        keys == null ? null : keys.comparator());
  }
}
