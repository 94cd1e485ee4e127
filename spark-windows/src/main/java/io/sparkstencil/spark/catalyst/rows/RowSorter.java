/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortPrefix;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.SortPrefixUtils;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.collection.unsafe.sort.RecordComparator;
import scala.collection.Iterator;

/** Sorts rows with Spark's external sorter: accounted memory, spills, radix sort where it can. */
final class RowSorter {
  private RowSorter() {}

  /**
   * Returns an empty sorter, which is cleaned up when the task ends.
   *
   * @param ties the order of rows that tie, or null if they come in any order
   */
  static UnsafeExternalRowSorter create(RowOrder order, TieOrder ties, StructType schema) {
    SortOrder first = order.sortOrder().apply(0);
    try {
      UnsafeExternalRowSorter sorter =
          UnsafeExternalRowSorter.createWithRecordComparator(
              schema,
              () -> new Rows(order, ties, schema.size()),
              order.hasPrefixes()
                  ? SortPrefixUtils.getPrefixComparator(first)
                  : SortPrefixUtils.getPrefixComparator(new StructType()), // all are equal
              new Prefixes(order, first),
              pageBytes(),
              order.isPrefix() && ties == null && SQLConf.get().enableRadixSort());
      ScalaInterop.onCompletion(TaskContext.get(), sorter::cleanupResources);
      return sorter;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes of a page: less than Spark's, as ranges are sorted one by one. */
  private static long pageBytes() {
    long usual = SparkEnv.get().memoryManager().pageSizeBytes();
    return Math.max(Math.min(usual, 1L << 20), usual / 16);
  }

  static void insert(UnsafeExternalRowSorter sorter, InternalRow row) {
    try {
      sorter.insertRow((UnsafeRow) row);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Iterator<InternalRow> sort(UnsafeExternalRowSorter sorter) {
    try {
      return sorter.sort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Computes the prefixes of rows. */
  private static final class Prefixes extends UnsafeExternalRowSorter.PrefixComputer {
    private final SortPrefix expression;
    private final UnsafeProjection projection;
    private final Prefix prefix = new Prefix();

    Prefixes(RowOrder order, SortOrder first) {
      this.expression = new SortPrefix(first);
      this.projection = UnsafeProjection.create(ScalaInterop.seqOf(expression), order.attributes());
    }

    @Override
    public Prefix computePrefix(InternalRow row) {
      UnsafeRow projected = projection.apply(row);
      prefix.isNull = projected.isNullAt(0);
      prefix.value = prefix.isNull ? expression.nullValue() : projected.getLong(0);
      return prefix;
    }
  }

  /** Compares rows in the sorter's pages. */
  private static final class Rows extends RecordComparator {
    private static final int COMPARED_PER_QUESTION = 1 << 14;

    private final Comparator<InternalRow> comparator;
    private int compared;
    private final UnsafeRow left;
    private final UnsafeRow right;

    Rows(RowOrder order, TieOrder ties, int fields) {
      this.comparator =
          ties == null ? order.comparator() : order.comparator().thenComparing(ties::compareTies);
      this.left = new UnsafeRow(fields);
      this.right = new UnsafeRow(fields);
    }

    @Override
    public int compare(
        Object leftBase,
        long leftOffset,
        int leftSize,
        Object rightBase,
        long rightOffset,
        int rightSize) {
      if ((++compared & (COMPARED_PER_QUESTION - 1)) == 0) {
        Cancellation.ask(); // Spark's sorter does not
      }
      left.pointTo(leftBase, leftOffset, leftSize);
      right.pointTo(rightBase, rightOffset, rightSize);
      return comparator.compare(left, right);
    }
  }
}
