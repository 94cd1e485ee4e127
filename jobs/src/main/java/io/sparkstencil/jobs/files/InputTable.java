/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.CsvTables;
import io.sparkstencil.spark.csv.CsvTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A table to read, and how.
 *
 * @param path as the user has named it
 * @param pattern the pattern by which Spark finds its files
 * @param format the format of its files
 * @param options Spark's options of reading that differ from those of the format
 */
public record InputTable(
    String path, String pattern, TableFormat format, Map<String, String> options) {
  /** Copies the options. */
  public InputTable {
    options = Map.copyOf(options);
  }

  /**
   * A table that was found.
   *
   * @param rows its rows
   * @param empty the columns without any value, as far as that is known
   * @param count the number of rows, if it is known
   * @param notes what its user should know about it
   */
  public record Found(
      Dataset<Row> rows, Set<String> empty, OptionalLong count, List<String> notes) {}

  /**
   * Returns the table; types of text are inferred.
   *
   * @throws BadDataException if there are no columns, columns share a name, or a row is malformed
   */
  public Found read(SparkSession session) {
    Found found = format == TableFormat.CSV ? readCsv(session) : readOther(session);
    if (found.rows.schema().isEmpty()) {
      throw new BadDataException(
          "--input %s has no columns as %s: its files are empty or in another format; set the format with --format"
              .formatted(path, format.sparkName()));
    }
    return found;
  }

  private Found readOther(SparkSession session) {
    try {
      Dataset<Row> rows = format.read(session, pattern, options);
      return new Found(rows, Set.of(), OptionalLong.empty(), List.of());
    } catch (Exception e) { // checked ones of Spark's are not declared
      if (format == TableFormat.JSON) {
        requireJson(session, e);
      }
      throw e;
    }
  }

  private Found readCsv(SparkSession session) {
    CsvTable csv = CsvTables.at(session, pattern, format.readOptions(options));
    List<String> notes = new ArrayList<>();
    if (csv.undecodable()) {
      notes.add(
          "--input %s holds bytes that are no characters in %s; name its encoding with --encoding, such as ISO-8859-1"
              .formatted(path, options.getOrDefault("encoding", "UTF-8")));
    }
    csv.inexact()
        .forEach(
            (column, number) ->
                notes.add(
                    "column %s has numbers that double cannot hold, such as %s, which is read and written as %s"
                        .formatted(column, number, Double.valueOf(number))));
    Dataset<Row> rows = format.read(session, pattern, options, csv.schema());
    return new Found(rows, csv.empty(), OptionalLong.of(csv.rows()), notes);
  }

  /** Says where the files are no JSON, if that is why Spark could not read them. */
  private void requireJson(SparkSession session, Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkThrowable spark
          && String.valueOf(spark.getCondition()).startsWith("MALFORMED_RECORD_IN_PARSING")) {
        try {
          new JsonLines(
                  Charset.forName(options.getOrDefault("encoding", "UTF-8")),
                  options.containsKey("multiLine"),
                  session.sparkContext().hadoopConfiguration())
              .firstError(session.read().format("text").load(pattern).inputFiles())
              .ifPresent(
                  error -> {
                    throw error;
                  });
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
