/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A table to read, and how.
 *
 * @param path a file, a folder or a pattern
 * @param format the format of its files
 * @param options Spark's options of reading that differ from those of the format
 */
public record InputTable(String path, TableFormat format, Map<String, String> options) {
  /** Copies the options. */
  public InputTable {
    options = Map.copyOf(options);
  }

  /** Returns the table; types of text are inferred. */
  public Dataset<Row> read(SparkSession session) {
    return format.read(session, path, options);
  }

  @Override
  public String toString() {
    return path;
  }
}
