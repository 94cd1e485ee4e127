/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import org.apache.spark.SparkThrowable;

/**
 * A failure as its user sees it.
 *
 * @param exitCode one of {@link ExitCode}
 * @param line the message, without line breaks
 */
public record Failure(int exitCode, String line) {
  private static final int LONGEST_LINE = 600;

  /** Spark's error conditions that say that the data, not the call, is at fault. */
  private static final String[] BAD_DATA_CONDITIONS = {
    "MALFORMED_RECORD_IN_PARSING",
    "MALFORMED_CSV_RECORD",
    "FAILED_READ_FILE",
    "CANNOT_READ_FILE_FOOTER",
    "CANNOT_MERGE_SCHEMAS",
    "FAILED_MERGE_SCHEMAS",
    "INVALID_JSON_ROOT_FIELD",
    "CAST_INVALID_INPUT",
    "ARITHMETIC_OVERFLOW",
    "_LEGACY_ERROR_TEMP_2055"
  };

  /** Returns what to say about {@code thrown}: our own message where one is among its causes. */
  public static Failure of(Throwable thrown) {
    Throwable root = thrown;
    Throwable badRead = null;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StencilException ours) {
        return new Failure(exitCodeOf(ours), oneLine(ours.getMessage()));
      }
      if (badRead == null && isBadData(cause)) {
        badRead = cause;
      }
      root = cause;
    }
    if (badRead != null) {
      String which = describe(badRead);
      String why = describe(root);
      return new Failure(
          ExitCode.BAD_DATA, oneLine(root == badRead ? which : which.strip() + ": " + why));
    }
    if (root instanceof OutOfMemoryError) {
      return new Failure(
          ExitCode.FAILED,
          "out of memory (%s); give the driver more with --conf spark.driver.memory=8g, say"
              .formatted(root.getMessage()));
    }
    return new Failure(ExitCode.FAILED, oneLine(describe(root)));
  }

  private static int exitCodeOf(StencilException ours) {
    if (ours instanceof BadDataException || ours.code() == ErrorCode.BAD_DATA) {
      return ExitCode.BAD_DATA;
    }
    return ours.code() == ErrorCode.INVALID_ARGUMENT ? ExitCode.USAGE : ExitCode.FAILED;
  }

  private static boolean isBadData(Throwable thrown) {
    if (!(thrown instanceof SparkThrowable spark) || spark.getCondition() == null) {
      return false;
    }
    for (String condition : BAD_DATA_CONDITIONS) {
      if (spark.getCondition().startsWith(condition)) {
        return true;
      }
    }
    return false;
  }

  private static String describe(Throwable thrown) {
    String message = thrown.getMessage();
    if (message == null || message.isBlank()) {
      return thrown.getClass().getSimpleName() + " without a message; --verbose shows where";
    }
    return thrown instanceof SparkThrowable || thrown instanceof StencilException
        ? message
        : thrown.getClass().getSimpleName() + ": " + message;
  }

  private static String oneLine(String message) {
    String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + " ...";
  }
}
