/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** A file format of tables. */
public enum TableFormat {
  PARQUET,
  /**
   * With a header. Types are inferred; a row with too many or too few fields fails the job rather
   * than turning into nulls. Spaces are kept, so that what is written reads back the same.
   */
  CSV,
  /** One object per line. */
  JSON,
  ORC;

  /** Returns the format that the ending of {@code path} names, if any. */
  public static Optional<TableFormat> ofPath(String path) {
    String lower = path.toLowerCase(Locale.ROOT).replaceFirst("/+$", "");
    return Stream.of(values())
        .filter(each -> (lower + ".").contains("." + each.sparkName() + "."))
        .findFirst();
  }

  /** Returns Spark's name of the format. */
  public String sparkName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Tells whether the files hold text, from which types are inferred. */
  public boolean isText() {
    return this == CSV || this == JSON;
  }

  /** Returns the table at {@code path}. */
  public Dataset<Row> read(SparkSession session, String path) {
    return read(session, path, Map.of());
  }

  /** Returns the table at {@code path}; {@code options} replace those of the format. */
  Dataset<Row> read(SparkSession session, String path, Map<String, String> options) {
    return session.read().format(sparkName()).options(readOptions(options)).load(path);
  }

  /** Returns the table at {@code path}, whose columns are known. */
  public Dataset<Row> read(SparkSession session, String path, StructType schema) {
    return read(session, path, Map.of(), schema);
  }

  /** Returns the table at {@code path}, whose columns are known. */
  Dataset<Row> read(
      SparkSession session, String path, Map<String, String> options, StructType schema) {
    return session
        .read()
        .format(sparkName())
        .schema(schema)
        .options(readOptions(options))
        .load(path);
  }

  /** Writes {@code table} to {@code path}, which must not exist. */
  public void write(Dataset<Row> table, String path) {
    table.write().format(sparkName()).options(writeOptions()).save(path);
  }

  /** Returns Spark's options of reading; {@code options} replace those of the format. */
  Map<String, String> readOptions(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(readOptions());
    all.putAll(options);
    return all;
  }

  private Map<String, String> readOptions() {
    return switch (this) {
      case PARQUET, ORC -> Map.of();
      case JSON -> Map.of("mode", "FAILFAST");
      case CSV ->
          Map.of(
              "header", "true",
              "inferSchema", "true",
              "enforceSchema", "false", // each file's header is compared
              "mode", "FAILFAST",
              "escape", "\"");
    };
  }

  private Map<String, String> writeOptions() {
    return switch (this) {
      case PARQUET, ORC -> Map.of();
      case JSON -> Map.of("ignoreNullFields", "false");
      case CSV ->
          Map.of(
              "header", "true",
              "ignoreLeadingWhiteSpace", "false",
              "ignoreTrailingWhiteSpace", "false",
              "escape", "\"");
    };
  }
}
