/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.Collected;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import java.util.Comparator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** Finds out whether rows lie in an order: reads their keys, up to the first that does not. */
final class OrderProbe {
  private OrderProbe() {}

  /**
   * Tells whether the rows of each partition come in an order, which is a job.
   *
   * @param where these partitions
   */
  static boolean finds(SparkPlan rows, Seq<SortOrder> order, Placement where) {
    RowOrder ofRows = new RowOrder(order, rows.output());
    SparkPlan keys = NarrowPlan.of(rows, ofRows.keyExpressions());
    RowOrder ofKeys = ofRows.of(keys.output());
    PartitionEvaluatorFactory<InternalRow, Boolean> probing =
        () -> (index, inputs) -> ScalaInterop.seqOf(isInOrder(inputs.apply(0), ofKeys)).iterator();
    RDD<Boolean> found =
        where.rows(keys).mapPartitionsWithEvaluator(probing, ScalaInterop.tag(Boolean.class));
    return Collected.of(found).stream().allMatch(each -> each);
  }

  private static boolean isInOrder(Iterator<InternalRow> rows, RowOrder order) {
    return order.isIntegral() ? isAscending(rows, order) : isSorted(rows, order.comparator());
  }

  private static boolean isAscending(Iterator<InternalRow> rows, RowOrder order) {
    boolean first = true;
    long last = 0;
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      boolean none = order.isIntegralNull(row);
      if (none ? !first : !first && order.integralKey(row) < last) {
        return false; // nulls come first, where all rows before are null as well
      }
      if (!none) {
        last = order.integralKey(row);
        first = false;
      }
    }
    return true;
  }

  private static boolean isSorted(Iterator<InternalRow> rows, Comparator<InternalRow> order) {
    UnsafeRow last = null;
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      if (last == null) {
        last = row.copy();
      } else if (order.compare(last, row) > 0) {
        return false;
      } else {
        last.copyFrom(row);
      }
    }
    return true;
  }
}
