/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.SqlOptions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RowToColumnarTransition;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import scala.Option;
import scala.math.BigInt;

/**
 * Whether rows are few: by what Spark knows of a plan before they are read, and by what has been
 * shuffled of them. Bytes alone do not say so, as millions of rows with a few different values take
 * a few.
 */
final class InputSize {
  /** The most rows that are few, whatever they take. */
  static final long MOST_ROWS = 1_000_000;

  private InputSize() {}

  /** Tells whether the rows go to one task: they are few, so far as that is known. */
  static boolean isSmall(SparkPlan rows) {
    long most = mostBytes();
    if (most == 0) {
      return false;
    }
    Statistics known = statistics(rows);
    return known != null
        && isAtMost(known.sizeInBytes(), most)
        && rowCount(rows).forall(count -> isAtMost(count, MOST_ROWS));
  }

  /** Tells whether what has been shuffled is few rows. */
  static boolean isSmall(long bytes, long rows) {
    return bytes <= mostBytes() && rows <= MOST_ROWS;
  }

  private static long mostBytes() {
    return SessionOptions.ofSession(SqlOptions.SMALL_BYTES);
  }

  private static boolean isAtMost(BigInt number, long most) {
    return number.compare(BigInt.apply(most)) <= 0;
  }

  /** Returns what Spark knows of a stage that has run, or else estimates; null if nothing. */
  private static Statistics statistics(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage && stage.isMaterialized()) {
      return stage.computeStats().getOrElse(() -> null);
    } else if (plan.logicalLink().isDefined()) {
      return estimated(plan.logicalLink().get());
    }
    return plan.children().size() == 1 ? statistics(plan.children().apply(0)) : null;
  }

  /** Returns what Spark estimates, which leaves of others may have no answer to. */
  private static Statistics estimated(LogicalPlan rows) {
    try {
      return rows.stats();
    } catch (RuntimeException e) {
      return null;
    }
  }

  /**
   * Returns how many rows there are, if that is known of the plan or of what it takes them from.
   */
  private static Option<BigInt> rowCount(SparkPlan plan) {
    Statistics known = statistics(plan);
    Option<BigInt> rows = known == null ? Option.empty() : known.rowCount();
    return rows.isEmpty() && hasRowsOfChild(plan) ? rowCount(plan.children().apply(0)) : rows;
  }

  private static boolean hasRowsOfChild(SparkPlan plan) {
    return plan instanceof ProjectExec
        || plan instanceof SortExec
        || plan instanceof Exchange
        || plan instanceof AQEShuffleReadExec
        || plan instanceof ColumnarToRowTransition
        || plan instanceof RowToColumnarTransition
        || plan instanceof WholeStageCodegenExec
        || plan instanceof InputAdapter;
  }
}
