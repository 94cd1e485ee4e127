/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.csv;

import static org.apache.spark.sql.functions.col;

import com.univocity.parsers.csv.CsvParser;
import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.csv.CsvTable;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.csv.CSVInferSchema;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Looks through CSV files once: for the types that Spark would infer, and for what its inference
 * does not say. A few small files are read right here; a job looks through others.
 */
public final class CsvScan {
  /** Files that are read in less time than a job takes to start. */
  private static final long SMALL_BYTES = 2L << 20;

  private static final int SMALL_FILES = 16;

  private final SparkSession session;
  private final Configuration hadoop;
  private final CsvFormat format;
  private final Dataset<Row> text;
  private final CsvFiles files;

  private CsvScan(SparkSession session, String pattern, Map<String, String> options) {
    this.session = session;
    this.hadoop =
        ((org.apache.spark.sql.classic.SparkSession) session).sessionState().newHadoopConf();
    this.format = new CsvFormat(options, session.conf().get("spark.sql.session.timeZone"));
    this.text = session.read().format("text").load(pattern);
    this.files = new CsvFiles(format, Arrays.stream(text.inputFiles()).sorted().toList());
  }

  /**
   * Looks through the files at {@code pattern}.
   *
   * @param options Spark's options of reading CSV
   * @throws BadDataException if columns share a name, or a row has too many or too few fields
   */
  public static CsvTable of(SparkSession session, String pattern, Map<String, String> options) {
    try {
      return new CsvScan(session, pattern, options).table();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CsvTable table() throws IOException {
    CsvFiles.Row first = files.first(hadoop);
    CSVInferSchema types = format.types();
    if (first == null) {
      return new CsvFindings(0).table(types, new String[0]);
    }
    Header header =
        new Header(first.fields().length, format.parsed().headerFlag() ? first.text() : null);
    if (header.line != null) {
      requireDistinct(first);
    }
    CsvFindings found = areSmall() ? header.here(files, hadoop) : inJob(header);
    if (found.malformed()) {
      BadDataException malformed = files.malformed(hadoop, header.columns);
      if (malformed != null) {
        throw malformed;
      }
    }
    return found.table(types, format.names(first.fields()));
  }

  /** Spark would put their place behind the names of columns that share one. */
  private static void requireDistinct(CsvFiles.Row header) {
    Set<String> names = new HashSet<>();
    for (String name : header.fields()) {
      if (name != null && !names.add(name.toLowerCase(Locale.ROOT))) {
        throw new BadDataException(
            "the header of %s has the column %s more than once, in upper or lower case; give each column a name of its own"
                .formatted(header.file().toUri().getPath(), name));
      }
    }
  }

  private boolean areSmall() throws IOException {
    if (files.files().size() > SMALL_FILES) {
      return false;
    }
    long bytes = 0;
    for (String each : files.files()) {
      Path file = new Path(URI.create(each));
      bytes += file.getFileSystem(hadoop).getFileStatus(file).getLen();
    }
    return bytes <= SMALL_BYTES;
  }

  private CsvFindings inJob(Header header) {
    JavaRDD<CsvFindings> parts;
    if (format.parsed().multiLine()) {
      SerializableConfiguration configuration = new SerializableConfiguration(hadoop);
      CsvFormat with = format;
      parts =
          JavaSparkContext.fromSparkContext(session.sparkContext())
              .parallelize(files.files(), files.files().size())
              .map(file -> header.here(new CsvFiles(with, List.of(file)), configuration.value()));
    } else {
      CsvFormat with = format;
      parts =
          text.select(col("value").cast("binary"))
              .javaRDD()
              .mapPartitions(lines -> List.of(header.ofLines(with, lines)).iterator());
    }
    CSVInferSchema types = format.types();
    CsvFindings all = new CsvFindings(header.columns);
    TaskFindings.of(parts.rdd()).forEach(part -> all.add(types, part));
    return all;
  }

  /**
   * What tells rows from headers.
   *
   * @param columns the fields of each row
   * @param line the header, which each file may have; null if there is none
   */
  private record Header(int columns, String line) implements Serializable {
    CsvFindings here(CsvFiles files, Configuration hadoop) throws IOException {
      CsvFindings found = new CsvFindings(columns);
      CSVInferSchema types = files.format().types();
      boolean whole = files.format().parsed().multiLine();
      Path[] last = new Path[1];
      files.forEach(
          hadoop,
          row -> {
            boolean begins = !row.file().equals(last[0]);
            last[0] = row.file();
            boolean isHeader = line != null && (whole ? begins : row.text().equals(line));
            if (!isHeader) {
              found.add(types, row.fields());
            }
            return false;
          });
      return found;
    }

    CsvFindings ofLines(CsvFormat format, Iterator<Row> lines) {
      CsvFindings found = new CsvFindings(columns);
      CSVInferSchema types = format.types();
      CsvParser parser = format.parser();
      Charset charset = Charset.forName(format.parsed().charset());
      while (lines.hasNext()) {
        String text = new String(lines.next().<byte[]>getAs(0), charset);
        if (!CsvFiles.isEmpty(text) && !text.equals(line)) {
          found.add(types, CsvFiles.fields(parser, text));
        }
      }
      return found;
    }
  }
}
