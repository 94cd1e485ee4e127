/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.BadDataException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
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
   * Returns the table; types of text are inferred.
   *
   * @throws BadDataException if columns share a name in the header, where they have one
   */
  public Dataset<Row> read(SparkSession session) {
    Dataset<Row> table = format.read(session, pattern, options);
    if (format == TableFormat.CSV && mayShareNames(table.columns())) {
      requireDistinct(session);
    }
    return table;
  }

  /** Spark puts their place behind the names of columns that share one. */
  private static boolean mayShareNames(String[] columns) {
    return IntStream.range(0, columns.length)
            .filter(i -> columns[i].endsWith(Integer.toString(i)))
            .count()
        > 1;
  }

  private void requireDistinct(SparkSession session) {
    Map<String, String> asRows = new HashMap<>(options);
    if (asRows.putIfAbsent("header", "false") != null) {
      return; // there is no header
    }
    asRows.put("inferSchema", "false");
    Row header = format.read(session, pattern, asRows).first();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < header.size(); i++) {
      String name = header.getString(i);
      if (name != null && !names.add(name.toLowerCase(Locale.ROOT))) {
        throw new BadDataException(
            "the header of --input %s has the column %s more than once, in upper or lower case; give each column a name of its own"
                .formatted(path, name));
      }
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
