/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.sql.errors.QueryExecutionErrors;

/** Errors that Spark's own operators throw, made as Spark makes them. */
public final class SparkErrors {
  private SparkErrors() {}

  /** Returns the error of {@code sum} in ANSI mode: condition ARITHMETIC_OVERFLOW. */
  public static ArithmeticException sumOverflow() {
    return QueryExecutionErrors.arithmeticOverflowError("long overflow", "try_sum", null);
  }
}
