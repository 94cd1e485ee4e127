/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import io.sparkstencil.spark.catalyst.lines.SparkLine;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.LongType;

/** What Spark does where a sum of integers leaves the range of bigint. */
public final class Sums {
  private Sums() {}

  /** Tells whether a sum of integers wraps, or never leaves the range. */
  public static boolean wraps(Sum sum) {
    return !(sum.child().dataType() instanceof LongType)
        || sum.child() instanceof UnscaledValue // of few digits
        || SparkLine.mode(sum).equals(EvalMode$.MODULE$.LEGACY());
  }

  /** Tells whether a sum of bigint fails if it overflows after any of the rows. */
  public static boolean isChecked(Sum sum) {
    return sum.child().dataType() instanceof LongType
        && !wraps(sum)
        && SparkLine.mode(sum).equals(EvalMode$.MODULE$.ANSI());
  }

  /** Tells whether a sum of bigint is null if it overflows after any of the rows. */
  public static boolean isNullOnOverflow(Sum sum) {
    return sum.child().dataType() instanceof LongType
        && !wraps(sum)
        && SparkLine.mode(sum).equals(EvalMode$.MODULE$.TRY());
  }
}
