/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.ColumnValues;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/** Finds out whether rows lie in an order: reads their keys, up to the first that does not. */
final class OrderProbe {
  private OrderProbe() {}

  /**
   * What was found of a partition.
   *
   * @param inOrder whether its rows come in the order; of the rest, nothing is known if not
   * @param ties whether any of them tie
   * @param rows their number
   */
  record Found(boolean inOrder, boolean ties, long rows) implements Serializable {
    private static final Found OUT_OF_ORDER = new Found(false, false, 0);
  }

  /**
   * Tells whether the rows of each partition come in an order, which is a job.
   *
   * @param where these partitions
   */
  static List<Found> of(SparkPlan rows, Seq<SortOrder> order, RowPlacement where) {
    RowOrder ofRows = new RowOrder(order, rows.output());
    SparkPlan keys = NarrowPlan.of(rows, ofRows.keyExpressions());
    RowOrder ofKeys = ofRows.of(keys.output());
    RDD<ColumnarBatch> batches = ofKeys.isIntegral() ? where.batches(keys) : null;
    ClassTag<Found> tag = ScalaInterop.tag(Found.class);
    if (batches != null) {
      PartitionEvaluatorFactory<ColumnarBatch, Found> probing =
          () ->
              (index, inputs) -> ScalaInterop.seqOf(ofColumns(inputs.apply(0), ofKeys)).iterator();
      return TaskFindings.of(batches.mapPartitionsWithEvaluator(probing, tag));
    }
    PartitionEvaluatorFactory<InternalRow, Found> probing =
        () -> (index, inputs) -> ScalaInterop.seqOf(probe(inputs.apply(0), ofKeys)).iterator();
    return TaskFindings.of(where.rows(keys).mapPartitionsWithEvaluator(probing, tag));
  }

  private static Found probe(Iterator<InternalRow> rows, RowOrder order) {
    return order.isIntegral() ? ofIntegral(rows, order) : ofAny(rows, order.comparator());
  }

  /** Integral keys that have been seen; nulls come first. */
  private static final class IntegralKeys {
    private boolean inOrder = true;
    private boolean ties;
    private long nulls;
    private long others;
    private long last;

    void addNull() {
      inOrder &= others == 0;
      nulls++;
    }

    void add(long key) {
      if (others > 0 && key <= last) {
        inOrder &= key == last;
        ties = true;
      }
      last = key;
      others++;
    }

    Found found() {
      return inOrder ? new Found(true, ties || nulls > 1, nulls + others) : Found.OUT_OF_ORDER;
    }
  }

  private static Found ofIntegral(Iterator<InternalRow> rows, RowOrder order) {
    IntegralKeys keys = new IntegralKeys();
    while (keys.inOrder && rows.hasNext()) {
      InternalRow row = rows.next();
      if (order.isIntegralNull(row)) {
        keys.addNull();
      } else {
        keys.add(order.integralKey(row));
      }
    }
    return keys.found();
  }

  private static Found ofColumns(Iterator<ColumnarBatch> batches, RowOrder order) {
    boolean areLongs = order.sortOrder().apply(0).dataType().defaultSize() == Long.BYTES;
    IntegralKeys keys = new IntegralKeys();
    while (keys.inOrder && batches.hasNext()) {
      ColumnarBatch batch = batches.next();
      ColumnVector column = batch.column(order.integralOrdinal());
      int rows = batch.numRows();
      if (areLongs && ColumnValues.isOfSpark(column) && !column.hasNull()) {
        for (long key : column.getLongs(0, rows)) {
          keys.add(key);
        }
        continue;
      }
      for (int i = 0; i < rows; i++) {
        if (column.isNullAt(i)) {
          keys.addNull();
        } else {
          keys.add(order.integralKey(column, i));
        }
      }
    }
    return keys.found();
  }

  private static Found ofAny(Iterator<InternalRow> rows, Comparator<InternalRow> order) {
    UnsafeRow last = null;
    boolean ties = false;
    long count = 0;
    for (; rows.hasNext(); count++) {
      UnsafeRow row = (UnsafeRow) rows.next();
      if (last == null) {
        last = row.copy();
        continue;
      }
      int compared = order.compare(last, row);
      if (compared > 0) {
        return Found.OUT_OF_ORDER;
      }
      ties |= compared == 0;
      last.copyFrom(row);
    }
    return new Found(true, ties, count);
  }
}
