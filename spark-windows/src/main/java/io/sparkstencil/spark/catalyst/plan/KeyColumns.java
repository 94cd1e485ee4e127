/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/**
 * Keys and orders of series as columns, which rows are brought together and sorted by. Spark makes
 * columns of nearly all; constants are what is left.
 */
final class KeyColumns {
  private final List<Alias> made = new ArrayList<>();
  private final Seq<Expression> keys;
  private final Seq<SortOrder> order;

  KeyColumns(Seq<Expression> partitionSpec, Seq<SortOrder> orderSpec) {
    List<Expression> ofKeys = new ArrayList<>();
    for (Expression key : ScalaInterop.list(partitionSpec)) {
      ofKeys.add(SeriesLayout.isColumn(key) ? key : column(key));
    }
    List<SortOrder> ofOrder = new ArrayList<>();
    for (SortOrder each : ScalaInterop.list(orderSpec)) {
      ofOrder.add(
          each.child() instanceof Attribute
              ? each
              : each.copy(
                  column(each.child()),
                  each.direction(),
                  each.nullOrdering(),
                  ScalaInterop.seqOf()));
    }
    this.keys = ScalaInterop.seq(ofKeys);
    this.order = ScalaInterop.seq(ofOrder);
  }

  private Attribute column(Expression key) {
    Alias alias = Expressions.alias(key, "key");
    made.add(alias);
    return alias.toAttribute();
  }

  /** Returns the keys. */
  Seq<Expression> keys() {
    return keys;
  }

  /** Returns the order. */
  Seq<SortOrder> order() {
    return order;
  }

  /** Returns a plan with the columns that it lacks. */
  SparkPlan with(SparkPlan child) {
    return with(made, child);
  }

  /** Returns a plan without the columns that were made. */
  SparkPlan without(Seq<Attribute> output, SparkPlan plan) {
    return made.isEmpty()
        ? plan
        : new ProjectExec(ScalaInterop.<NamedExpression>seq(ScalaInterop.list(output)), plan);
  }

  /** Returns a plan with more columns. */
  static SparkPlan with(List<Alias> columns, SparkPlan child) {
    return columns.isEmpty()
        ? child
        : new ProjectExec(ScalaInterop.concat(child.output(), ScalaInterop.seq(columns)), child);
  }
}
