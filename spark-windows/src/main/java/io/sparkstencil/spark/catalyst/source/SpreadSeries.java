/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.shuffle.RangeFinder;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/**
 * The rows of one series, in the partitions of a plan.
 *
 * @param order the order of the series
 * @param child the plan of the rows
 * @param columns a plan of the columns of the same rows, which a shuffle reads; null to read rows
 * @param keepsTies whether rows of the child that tie come in the same order each time, and stay in
 *     it where rows are not shuffled
 */
public record SpreadSeries(
    Seq<SortOrder> order, SparkPlan child, SparkPlan columns, boolean keepsTies) {
  SparkContext context() {
    return child.session().sparkContext();
  }

  RowOrder rowOrder() {
    return new RowOrder(order, child.output());
  }

  /**
   * Returns how rows with some of the columns are put in order.
   *
   * @param ties the order of rows that tie; null if they stay as they come
   */
  UnitOrder unitOrder(Seq<Attribute> some, TieOrder ties) {
    return UnitOrder.ofOneSeries(
        new RowOrder(order, some), ties, DataTypeUtils.fromAttributes(some));
  }

  /**
   * Returns the rows in ranges of their order, after a shuffle; null if there are none.
   *
   * @param finder what map tasks look for on the way
   * @param shared the shuffle, or where to leave it for others
   */
  RangeStage.Ranges ranges(RangeFinder finder, SharedRanges shared, SQLConf conf, WindowTask task) {
    RangeStage stage = new RangeStage(rowOrder(), child, columns, conf, task);
    return shared.ranges(() -> stage.run(finder));
  }
}
