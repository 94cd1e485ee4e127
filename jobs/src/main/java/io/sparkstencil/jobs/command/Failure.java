/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.ShownText;
import io.sparkstencil.error.StencilException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkThrowable;

/**
 * A failure as its user sees it.
 *
 * @param exitCode one of {@link ExitCode}
 * @param line the message, without line breaks
 */
public record Failure(int exitCode, String line) {
  private static final int LONGEST_LINE = 600;

  /** A line of a text, and the mark under one of its words. */
  private static final Pattern MARKED_TEXT = Pattern.compile("\\R[^\\n]*\\R\\s*\\^\\s*$");

  private static final Pattern OUT_OF_MEMORY = Pattern.compile("OutOfMemoryError: ([^\\n]*)");

  /** 52 is Spark's code, 137 that of a process that the system or its container has killed. */
  private static final Pattern LOST_FOR_MEMORY =
      Pattern.compile("ExecutorLostFailure.*code (52|137)\\b", Pattern.DOTALL);

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
    "USER_RAISED_EXCEPTION",
    "_LEGACY_ERROR_TEMP_2055"
  };

  /** Returns what to say about {@code thrown}: our own message where one is among its causes. */
  public static Failure of(Throwable thrown) {
    Optional<String> denied = SparkText.denied(thrown);
    if (denied.isPresent()) {
      return new Failure(
          ExitCode.USAGE, oneLine(denied.get() + "; let the user who runs this command read it"));
    }
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
      Throwable found = badRead;
      Optional<String> ours = SparkText.unreadable(found).or(() -> SparkText.overflow(found));
      if (ours.isPresent()) {
        return new Failure(ExitCode.BAD_DATA, oneLine(ours.get()));
      }
      String which = describe(badRead);
      String why = describe(root);
      return new Failure(ExitCode.BAD_DATA, oneLine(root == badRead ? which : which + ": " + why));
    }
    if (SparkText.isDamagedOrc(root)) {
      return new Failure(
          ExitCode.BAD_DATA,
          oneLine(
              "the input is damaged, or no ORC file: "
                  + describe(root)
                  + " Set the format with --format, or replace the file."));
    }
    Optional<String> disk = FullDisk.saidBy(root);
    if (disk.isPresent()) {
      return new Failure(
          ExitCode.FAILED,
          oneLine(disk.get() + ": " + describe(root) + "; free some space or write elsewhere"));
    }
    return new Failure(ExitCode.FAILED, oneLine(memoryFailure(root).orElse(describe(root))));
  }

  /** Returns what to say where this process, or an executor of another one, ran out of memory. */
  private static Optional<String> memoryFailure(Throwable root) {
    String message = String.valueOf(root.getMessage());
    Matcher lost = LOST_FOR_MEMORY.matcher(message);
    if (lost.find()) {
      return Optional.of(
          "executors ran out of memory (they ended with code %s); give them more, for example with --conf spark.executor.memory=8g, or use a narrower frame"
              .formatted(lost.group(1)));
    }
    // Of what failed in a task, Spark may pass on nothing but the text.
    Matcher error = OUT_OF_MEMORY.matcher(root.toString());
    if (!error.find()) {
      return Optional.empty();
    }
    return Optional.of(
        "out of memory: %s, and this process has a heap of %d MiB; give it more, for example with --conf spark.driver.memory=8g, or use a narrower frame"
            .formatted(error.group(1), Runtime.getRuntime().maxMemory() >> 20));
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
        ? SparkText.plain(message)
        : thrown.getClass().getSimpleName() + ": " + message;
  }

  /** Returns a message as one line; a mark under a text of its own would lose its place. */
  private static String oneLine(String message) {
    String line =
        ShownText.printable(
            MARKED_TEXT.matcher(message).replaceFirst("").strip().replaceAll("\\s*\\R\\s*", " "));
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + " ...";
  }
}
