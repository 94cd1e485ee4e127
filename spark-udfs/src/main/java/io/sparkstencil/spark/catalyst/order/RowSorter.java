/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.order;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortPrefix;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.SortPrefixUtils;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;

/** Sorts rows with Spark's external sorter: accounted memory, spills, radix sort where it can. */
public final class RowSorter {
  private RowSorter() {}

  /** Returns an empty sorter in the order of {@code order}; rows that tie come in any order. */
  static UnsafeExternalRowSorter create(RowOrder order, StructType schema, boolean radix) {
    SortOrder first = order.sortOrder().apply(0);
    boolean full = order.sortOrder().size() == 1 && SortPrefixUtils.canSortFullyWithPrefix(first);
    try {
      return UnsafeExternalRowSorter.create(
          schema,
          order.ofRows(),
          SortPrefixUtils.getPrefixComparator(first),
          order.isIntegral() ? new IntegralPrefix(order) : new ProjectedPrefix(order, first),
          pageBytes(),
          radix && full);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes of a page: less than Spark's, as ranges are sorted one by one. */
  private static long pageBytes() {
    long usual = SparkEnv.get().memoryManager().pageSizeBytes();
    return Math.max(Math.min(usual, 1L << 20), usual / 16);
  }

  /** Returns a sorter in the order of {@code order}, and by their values among ties. */
  static UnsafeExternalRowSorter createWithCells(
      BaseOrdering ordering, CellReader cells, StructType schema) {
    try {
      return UnsafeExternalRowSorter.createWithRecordComparator(
          schema,
          () -> new CellRecordComparator(ordering, cells, schema.size()),
          org.apache.spark.util.collection.unsafe.sort.PrefixComparators.LONG,
          new ConstantPrefix(),
          pageBytes(),
          false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sorts rows by {@code order}; those that tie come in any order. */
  static Iterator<InternalRow> sort(
      UnsafeExternalRowSorter sorter, Iterator<InternalRow> rows, SQLMetric sortNanos) {
    try {
      while (rows.hasNext()) {
        sorter.insertRow((UnsafeRow) rows.next());
      }
      Iterator<InternalRow> sorted = sorter.sort();
      sortNanos.add(sorter.getSortTimeNanos());
      return sorted;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void insert(UnsafeExternalRowSorter sorter, UnsafeRow row) {
    try {
      sorter.insertRow(row);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static boolean radixEnabled() {
    return SQLConf.get().enableRadixSort();
  }

  private static final class IntegralPrefix extends UnsafeExternalRowSorter.PrefixComputer {
    private final RowOrder order;
    private final Prefix prefix = new Prefix();

    IntegralPrefix(RowOrder order) {
      this.order = order;
    }

    @Override
    public Prefix computePrefix(InternalRow row) {
      prefix.isNull = order.isIntegralNull(row);
      prefix.value = prefix.isNull ? Long.MIN_VALUE : order.integralKey(row);
      return prefix;
    }
  }

  private static final class ProjectedPrefix extends UnsafeExternalRowSorter.PrefixComputer {
    private final SortPrefix expression;
    private final UnsafeProjection projection;
    private final Prefix prefix = new Prefix();

    ProjectedPrefix(RowOrder order, SortOrder first) {
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

  private static final class ConstantPrefix extends UnsafeExternalRowSorter.PrefixComputer {
    private final Prefix prefix = new Prefix();

    @Override
    public Prefix computePrefix(InternalRow row) {
      return prefix;
    }
  }

  /** Compares rows in the sorter's pages. */
  private static final class CellRecordComparator
      extends org.apache.spark.util.collection.unsafe.sort.RecordComparator {
    private final BaseOrdering ordering;
    private final CellReader cells;
    private final UnsafeRow left;
    private final UnsafeRow right;

    CellRecordComparator(BaseOrdering ordering, CellReader cells, int fields) {
      this.ordering = ordering;
      this.cells = cells;
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
      left.pointTo(leftBase, leftOffset, leftSize);
      right.pointTo(rightBase, rightOffset, rightSize);
      int byKey = ordering.compare(left, right);
      return byKey != 0 ? byKey : cells.compareTies(left, right);
    }
  }
}
