/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.SqlOptions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import scala.Option;
import scala.math.BigInt;

/** What Spark knows of the size of a plan's rows before they are read. */
final class InputSize {
  private InputSize() {}

  /** Tells whether the rows go to one task: they are few, so far as that is known. */
  static boolean isSmall(SparkPlan rows) {
    long most = mostBytes();
    if (most == 0) {
      return false;
    }
    Option<BigInt> known = bytes(rows);
    return known.isDefined() && known.get().compare(BigInt.apply(most)) <= 0;
  }

  /** Returns the bytes of rows that are few. */
  static long mostBytes() {
    return SessionOptions.ofSession(SqlOptions.SMALL_BYTES);
  }

  /** Returns the bytes of a stage that has run, or else those that Spark estimates. */
  private static Option<BigInt> bytes(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage && stage.isMaterialized()) {
      return stage.computeStats().map(Statistics::sizeInBytes);
    } else if (plan.logicalLink().isDefined()) {
      return estimated(plan.logicalLink().get());
    }
    return plan.children().size() == 1 ? bytes(plan.children().apply(0)) : Option.empty();
  }

  /** Returns what Spark estimates, which leaves of others may have no answer to. */
  private static Option<BigInt> estimated(LogicalPlan rows) {
    try {
      return Option.apply(rows.stats().sizeInBytes());
    } catch (RuntimeException e) {
      return Option.empty();
    }
  }
}
