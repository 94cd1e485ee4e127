/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * What the footer of a Parquet file says of an integral column in one split of the file, and of
 * columns by which series are told apart.
 *
 * @param rows the rows of the split
 * @param bytes the bytes of their row groups, all columns of them
 * @param least the least value in them
 * @param greatest the greatest value in them
 * @param series how many series a row group has at most, about; very many if it does not say
 */
record KeyStatistics(long rows, long bytes, long least, long greatest, long series)
    implements Serializable {
  private static final KeyStatistics EMPTY =
      new KeyStatistics(0, 0, Long.MAX_VALUE, Long.MIN_VALUE, 1);

  /** Bytes that a value takes in a dictionary, compressed, if it takes little. */
  private static final long VALUE_BYTES = 2;

  /**
   * From here on, days and microseconds of files mean the same in all calendars and time zones that
   * Spark has written files with: 1 January 1900.
   */
  private static final long SAME_CALENDAR_DAYS = -25_567;

  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /**
   * Reads the footer of a split's file; empty if it does not say enough: if there are nulls, or no
   * statistics, or values that Spark converts when it reads them.
   */
  static Optional<KeyStatistics> read(
      PartitionedFile split, KeyColumn column, List<KeyColumn> keys, Configuration hadoop)
      throws IOException {
    ParquetReadOptions options =
        HadoopReadOptions.builder(hadoop, split.toPath())
            // The row groups whose middle lies in the split, as Spark reads them.
            .withRange(split.start(), split.start() + split.length())
            .build();
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(split.toPath(), hadoop), options)) {
      KeyStatistics all = EMPTY;
      for (BlockMetaData group : reader.getRowGroups()) {
        Optional<KeyStatistics> own =
            group.getRowCount() == 0 ? Optional.of(EMPTY) : of(group, column, keys);
        if (own.isEmpty()) {
          return own;
        }
        all = all.and(own.get());
      }
      return Optional.of(all);
    }
  }

  private KeyStatistics and(KeyStatistics that) {
    return new KeyStatistics(
        rows + that.rows,
        bytes + that.bytes,
        Math.min(least, that.least),
        Math.max(greatest, that.greatest),
        Math.max(series, that.series));
  }

  private static Optional<ColumnChunkMetaData> chunk(BlockMetaData group, KeyColumn column) {
    List<ColumnChunkMetaData> named =
        group.getColumns().stream().filter(each -> isNamed(each, column)).toList();
    return named.size() == 1 ? Optional.of(named.get(0)) : Optional.empty();
  }

  /** Returns how many values a column of a row group has at most, about. */
  private static long values(BlockMetaData group, KeyColumn column) {
    if (column.type() instanceof BooleanType) {
      return 2; // which have neither a dictionary nor numbers
    }
    ColumnChunkMetaData chunk = chunk(group, column).orElse(null);
    return chunk == null
        ? Integer.MAX_VALUE
        : Math.min(inDictionary(chunk), inRange(chunk.getStatistics()));
  }

  private static long inDictionary(ColumnChunkMetaData chunk) {
    EncodingStats pages = chunk.getEncodingStats();
    if (pages == null || !pages.hasDictionaryPages() || pages.hasNonDictionaryEncodedPages()) {
      return Integer.MAX_VALUE;
    }
    long bytes = chunk.getFirstDataPageOffset() - chunk.getDictionaryPageOffset();
    return Math.max(1, Math.min(Integer.MAX_VALUE, bytes / VALUE_BYTES));
  }

  private static long inRange(Statistics<?> found) {
    double range = Integer.MAX_VALUE;
    if (found instanceof IntStatistics ints && ints.hasNonNullValue()) {
      range = (double) ints.getMax() - ints.getMin() + 1;
    } else if (found instanceof LongStatistics longs && longs.hasNonNullValue()) {
      range = (double) longs.getMax() - longs.getMin() + 1;
    }
    return (long) Math.max(1, Math.min(Integer.MAX_VALUE, range));
  }

  private static Optional<KeyStatistics> of(
      BlockMetaData group, KeyColumn column, List<KeyColumn> keys) {
    ColumnChunkMetaData chunk = chunk(group, column).orElse(null);
    if (chunk == null) {
      return Optional.empty();
    }
    Statistics<?> found = chunk.getStatistics();
    if (found == null
        || !found.hasNonNullValue()
        || !found.isNumNullsSet()
        || found.getNumNulls() > 0) {
      return Optional.empty();
    }
    LogicalTypeAnnotation meaning = chunk.getPrimitiveType().getLogicalTypeAnnotation();
    long least;
    long greatest;
    if (found instanceof IntStatistics ints) {
      least = ints.getMin();
      greatest = ints.getMax();
    } else if (found instanceof LongStatistics longs) {
      least = longs.getMin();
      greatest = longs.getMax();
    } else {
      return Optional.empty(); // 96-bit timestamps, above all, have no statistics
    }
    double series = 1;
    for (KeyColumn key : keys) {
      series *= values(group, key);
    }
    return areAsRead(least, greatest, column.type(), meaning)
        ? Optional.of(
            new KeyStatistics(
                group.getRowCount(), group.getCompressedSize(), least, greatest, (long) series))
        : Optional.empty();
  }

  private static boolean isNamed(ColumnChunkMetaData chunk, KeyColumn column) {
    String[] path = chunk.getPath().toArray();
    return path.length == 1
        && (column.caseSensitive()
            ? path[0].equals(column.name())
            // As Spark compares: there are letters that are equal in one case alone.
            : path[0].toLowerCase(Locale.ROOT).equals(column.name().toLowerCase(Locale.ROOT)));
  }

  /** Tells whether values are read as the file has them. */
  private static boolean areAsRead(
      long least, long greatest, DataType type, LogicalTypeAnnotation meaning) {
    boolean number =
        type instanceof LongType
            || type instanceof IntegerType
            // Greater numbers, which files may hold nevertheless, are cut off when they are read.
            || (type instanceof ShortType
                && least >= Short.MIN_VALUE
                && greatest <= Short.MAX_VALUE)
            || (type instanceof ByteType && least >= Byte.MIN_VALUE && greatest <= Byte.MAX_VALUE);
    boolean asIs =
        number
            && (meaning == null
                || (meaning instanceof IntLogicalTypeAnnotation whole && whole.isSigned()));
    boolean days =
        type instanceof DateType
            && meaning instanceof DateLogicalTypeAnnotation
            && least >= SAME_CALENDAR_DAYS;
    boolean micros =
        (type instanceof TimestampType || type instanceof TimestampNTZType)
            && meaning instanceof TimestampLogicalTypeAnnotation time
            && time.getUnit() == TimeUnit.MICROS
            // A day later, as time zones differ.
            && least >= (SAME_CALENDAR_DAYS + 1) * MICROS_PER_DAY;
    return asIs || days || micros;
  }
}
