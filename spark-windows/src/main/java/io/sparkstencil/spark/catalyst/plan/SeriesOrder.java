/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.conf.SqlOptions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.AllTuples$;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.internal.SQLConf$;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Series and the order of their rows.
 *
 * @param partitionSpec keys of the series; empty if all rows are one series
 * @param orderSpec the order of each series
 */
record SeriesOrder(Seq<Expression> partitionSpec, Seq<SortOrder> orderSpec)
    implements Serializable {

  /** Tells whether series are given by keys. */
  boolean hasKeys() {
    return !partitionSpec.isEmpty();
  }

  /** Returns the order of the series' keys. */
  Seq<SortOrder> ofKeys() {
    List<SortOrder> keys = new ArrayList<>();
    ScalaInterop.list(partitionSpec).forEach(key -> keys.add(Expressions.ascending(key)));
    return ScalaInterop.seq(keys);
  }

  /** Returns the order of the series' keys and, within a series, of its rows. */
  Seq<SortOrder> full() {
    return ScalaInterop.concat(ofKeys(), orderSpec);
  }

  /** Tells whether series can be told apart without being sorted, as columns. */
  boolean canBeCollected(Seq<Attribute> rows) {
    return hasKeys() && SeriesLayout.isPossible(new RowOrder(ofKeys(), rows));
  }

  /**
   * Tells whether Spark has to sort series: they cannot be collected, or rows are to leave as its
   * own and it would sort them by one column that may be null. By more, and where nothing is null,
   * its sort leaves rows that tie as they come, as we do.
   */
  boolean isSortedBySpark(Seq<Attribute> rows) {
    return !canBeCollected(rows)
        || (SessionOptions.ofSession(SqlOptions.ROWS_AS_SPARK)
            && full().size() == 1
            && full().apply(0).child().nullable());
  }

  /** Tells whether an operator leaves rows in the partitions in which they are. */
  static boolean passesOn(SparkPlan plan) {
    return plan instanceof ProjectExec
        || plan instanceof SeriesLimitExec
        || plan instanceof WholeStageCodegenExec
        || plan instanceof InputAdapter;
  }

  /** Tells whether an operator puts rows into partitions anew. */
  static boolean moves(SparkPlan plan) {
    return plan instanceof Exchange
        || (plan instanceof StencilExec operator && operator.isShuffling());
  }

  /**
   * Returns the operator that a plan's rows come from, if it has the same series, given by keys,
   * and nothing between has moved them; null otherwise.
   */
  StencilExec below(SparkPlan plan) {
    if (passesOn(plan)) {
      return below(plan.children().apply(0));
    }
    return plan instanceof StencilExec operator && hasKeys() && hasKeysOf(operator.order())
        ? operator
        : null;
  }

  private boolean hasKeysOf(SeriesOrder that) {
    return partitionSpec.size() == that.partitionSpec.size() && hasAllKeys(that.partitionSpec);
  }

  /** Tells whether all keys are among some expressions. */
  boolean hasAllKeys(Seq<Expression> expressions) {
    return ScalaInterop.list(partitionSpec).stream()
        .allMatch(key -> expressions.exists(key::semanticEquals));
  }

  /** Tells whether an operator below has brought the same series together by itself. */
  private boolean isGrouped(SparkPlan plan) {
    StencilExec below = below(plan);
    return below != null && (below.isShuffling() || isGrouped(below.child()));
  }

  /** Returns where Spark is to put the rows of a child, so that each partition has whole series. */
  Seq<Distribution> distribution(SparkPlan child) {
    if (!hasKeys()) {
      return ScalaInterop.<Distribution>seqOf(AllTuples$.MODULE$);
    }
    boolean all =
        (boolean)
            child.conf().getConf(SQLConf$.MODULE$.REQUIRE_ALL_CLUSTER_KEYS_FOR_DISTRIBUTION());
    return ScalaInterop.<Distribution>seqOf(
        isGrouped(child)
            ? UnspecifiedDistribution$.MODULE$
            : new ClusteredDistribution(partitionSpec, all, Option.empty()));
  }

  /** Returns the order of a partition of whole series, which takes ties as they come. */
  UnitOrder unitOrder(Seq<Attribute> rows) {
    return new UnitOrder(
        hasKeys() ? new RowOrder(ofKeys(), rows) : null,
        new RowOrder(orderSpec, rows),
        new RowOrder(full(), rows),
        null,
        DataTypeUtils.fromAttributes(rows));
  }

  /** Returns the keys and the order in words, for plans. */
  String text() {
    return (hasKeys() ? partitionSpec.mkString(", partition by [", ", ", "]") : "")
        + (orderSpec.isEmpty() ? "" : orderSpec.mkString(", order by [", ", ", "]"));
  }
}
