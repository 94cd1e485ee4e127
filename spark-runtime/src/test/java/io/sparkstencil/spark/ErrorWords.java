/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;

/** Errors in words that say all by which users tell them apart. */
public final class ErrorWords {
  private ErrorWords() {}

  /** Returns the error of a query, or null if it has none. */
  public static Throwable thrown(Supplier<?> query) {
    try {
      query.get();
      return null;
    } catch (Exception e) { // checked ones too, which Scala throws without a word
      return e;
    }
  }

  /** Returns class, condition and SQLSTATE. */
  public static String kind(Throwable error) {
    String name = error.getClass().getName();
    return error instanceof SparkThrowable known
        ? "%s %s %s".formatted(known.getCondition(), known.getSqlState(), name)
        : name;
  }

  /** Returns class, condition, SQLSTATE and message, and class and message of the last cause. */
  public static String of(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String words = kind(error) + withoutNumbers(error);
    return cause == error ? words : words + " by " + kind(cause) + withoutNumbers(cause);
  }

  /** Says which task of which stage failed, and by which name code was made, in words. */
  private static String withoutNumbers(Throwable error) {
    String message =
        String.valueOf(error.getMessage())
            .replaceAll("(task|stage|TID|Task) [0-9.]+", "$1 N")
            .replaceAll("Driver stacktrace:?", "")
            .replaceAll("\\$\\$?Lambda[^ )]*", "Lambda")
            .split("\n\tat ", 2)[0];
    return ": " + message;
  }
}
