/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;

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

  /** How the names of files end that are tables, arrays or archives of others. */
  private static final Set<String> OTHER_ENDINGS =
      Set.of(
          ("xls xlsx ods txt text tsv tab xml yaml yml html pdf jsonl ndjson avro arrow"
                  + " feather zip gz bz2 xz zst lz4 snappy 7z tar tgz npy npz zarr h5 hdf5 hdf nc"
                  + " nc4 mat pkl pickle rds rda rdata sas7bdat sav dta db sqlite duckdb delta"
                  + " iceberg tif tiff png jpg jpeg gif svg")
              .split(" "));

  /** Returns the format that the ending of {@code path} names, if any. */
  public static Optional<TableFormat> ofPath(String path) {
    String lower = lowerCase(path);
    return Stream.of(values())
        .filter(each -> (lower + ".").contains("." + each.sparkName() + "."))
        .findFirst();
  }

  /**
   * Requires a path to be written to not to end as files of other formats do.
   *
   * @param option the option that named it, for messages
   * @throws InvalidStencilException if it does
   */
  public static void requireNoOther(String option, String path) {
    String lower = lowerCase(path);
    String ending = lower.replaceFirst(".*[^/]\\.", "");
    if (!ending.equals(lower) && OTHER_ENDINGS.contains(ending)) {
      throw new InvalidStencilException(
          "%s %s ends in .%s, which is not written by apply; use a path that ends in .parquet, .csv, .json or .orc, or say with --output-format which of these is written there"
              .formatted(option, path, ending));
    }
  }

  private static String lowerCase(String path) {
    return path.toLowerCase(Locale.ROOT).replaceFirst("/+$", "");
  }

  /** Returns Spark's name of the format. */
  public String sparkName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Tells whether the files hold text, from which types are inferred. */
  public boolean isText() {
    return this == CSV || this == JSON;
  }

  /**
   * Requires the format to have columns of the types of {@code schema}.
   *
   * @throws InvalidStencilException that names those that it has none of
   */
  public void requireTypes(StructType schema) {
    if (this != CSV) {
      return;
    }
    String others =
        Stream.of(schema.fields())
            .filter(field -> !isOneField(field.dataType()))
            .map(field -> "%s (%s)".formatted(field.name(), field.dataType().typeName()))
            .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      throw new InvalidStencilException(
          "the output would be csv, which has no columns such as %s; write parquet or json, with --output-format parquet or a path that ends in .parquet"
              .formatted(others));
    }
  }

  /** Tells whether a value is one field of a line, from which it can be read again. */
  private static boolean isOneField(DataType type) {
    return type instanceof AtomicType
        && !(type instanceof BinaryType)
        && !(type instanceof VariantType);
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
