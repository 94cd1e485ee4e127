/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkThrowable;

/** What Spark says of the data that it reads, in the words of someone who runs this command. */
final class SparkText {
  private static final Pattern CONDITION = Pattern.compile("^\\[[A-Z_0-9.]+\\]\\s*");
  private static final Pattern STATE = Pattern.compile("\\s*SQLSTATE: [0-9A-Z]{5}\\.?");
  private static final Pattern DENIED = Pattern.compile("(\\S+) \\(Permission denied\\)");
  private static final String MALFORMED_ROW = "Malformed CSV record: ";

  private SparkText() {}

  /** Returns a message without Spark's names for errors. */
  static String plain(String message) {
    return STATE.matcher(CONDITION.matcher(message).replaceFirst("")).replaceAll("").strip();
  }

  /** Returns which file may not be read, if that is what went wrong. */
  static Optional<String> denied(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      Matcher local = DENIED.matcher(message);
      if (cause instanceof FileNotFoundException && local.find()) {
        return Optional.of(local.group(1) + ": permission denied");
      }
      if (cause instanceof java.nio.file.AccessDeniedException denied) {
        return Optional.of(denied.getFile() + ": permission denied");
      }
      if (cause instanceof org.apache.hadoop.security.AccessControlException) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  /** Returns what to say of a file that could not be read, if {@code thrown} is of that kind. */
  static Optional<String> unreadable(Throwable thrown) {
    if (!(thrown instanceof SparkThrowable spark)
        || !String.valueOf(spark.getCondition()).startsWith("FAILED_READ_FILE")) {
      return Optional.empty();
    }
    String file =
        String.valueOf(spark.getMessageParameters().get("path")).replaceFirst("^file:/+", "/");
    List<String> causes = new ArrayList<>();
    for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
      causes.add(plain(String.valueOf(cause.getMessage())));
    }
    String why = causes.isEmpty() ? "" : causes.get(causes.size() - 1);
    if (why.contains(MALFORMED_ROW)) {
      return Optional.of(
          "%s has a row with too many or too few fields: %s; correct the row"
              .formatted(file, why.substring(why.indexOf(MALFORMED_ROW) + MALFORMED_ROW.length())));
    }
    if (why.contains("CSV header")) {
      return Optional.of(
          "the header of %s is not that of the first file; give all files the same columns"
              .formatted(file));
    }
    String condition = spark.getCondition();
    if (condition.endsWith("CANNOT_READ_FILE_FOOTER")) {
      return Optional.of(
          "%s is damaged, or in another format: %s; replace it, or set the format with --format"
              .formatted(file, why));
    }
    if (condition.endsWith("FILE_NOT_EXIST")) {
      return Optional.of("%s has gone while it was read; run the command again".formatted(file));
    }
    return Optional.of(
        "%s cannot be read: %s".formatted(file, why.isEmpty() ? plain(thrown.getMessage()) : why));
  }

  /** Returns what to say of a sum that overflows, if {@code thrown} is of that kind. */
  static Optional<String> overflow(Throwable thrown) {
    return thrown instanceof SparkThrowable spark
            && "ARITHMETIC_OVERFLOW".equals(spark.getCondition())
        ? Optional.of(
            spark.getMessageParameters().get("message")
                + "; make the column double, or have sums wrap with --conf spark.sql.ansi.enabled=false")
        : Optional.empty();
  }

  /** Tells whether a library that reads ORC could make nothing of a file. */
  static boolean isDamagedOrc(Throwable thrown) {
    return thrown.getClass().getName().toLowerCase(Locale.ROOT).contains("protobuf");
  }
}
