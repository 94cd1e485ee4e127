/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.csv;

import com.univocity.parsers.csv.CsvParser;
import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.ShownText;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.util.LineReader;

/**
 * CSV files, read row by row from the first to the last.
 *
 * @param format how they are read
 * @param files their addresses
 */
record CsvFiles(CsvFormat format, List<String> files) implements Serializable {
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** A row with the line on which it ends, which counts from 1, and the file. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(String[] fields, String text, long line, Path file) {}

  /** Reads rows, headers among them, until {@code enough} says so. */
  void forEach(Configuration hadoop, Predicate<Row> enough) throws IOException {
    CsvParser parser = format.parser();
    boolean whole = format.parsed().multiLine();
    for (String each : files) {
      Path file = new Path(URI.create(each));
      FileSystem system = file.getFileSystem(hadoop);
      CompressionCodec codec = new CompressionCodecFactory(hadoop).getCodec(file);
      try (InputStream raw = system.open(file);
          InputStream in = codec == null ? raw : codec.createInputStream(raw)) {
        if (whole ? ofStream(parser, in, file, enough) : ofLines(parser, in, file, enough)) {
          return;
        }
      }
    }
  }

  private boolean ofStream(CsvParser parser, InputStream in, Path file, Predicate<Row> enough) {
    parser.beginParsing(in, format.parsed().charset());
    for (String[] row = parser.parseNext(); row != null; row = parser.parseNext()) {
      long line = parser.getContext().currentLine();
      if (enough.test(new Row(row, String.join(",", row), line, file))) {
        parser.stopParsing();
        return true;
      }
    }
    return false;
  }

  private boolean ofLines(CsvParser parser, InputStream in, Path file, Predicate<Row> enough)
      throws IOException {
    Charset charset = Charset.forName(format.parsed().charset());
    LineReader reader = new LineReader(in);
    Text bytes = new Text();
    for (long line = 1; reader.readLine(bytes) > 0; line++) {
      int from = line == 1 && startsWithMark(bytes) ? MARK.length : 0;
      String text = new String(bytes.getBytes(), from, bytes.getLength() - from, charset);
      if (!isEmpty(text) && enough.test(new Row(fields(parser, text), text, line, file))) {
        return true;
      }
    }
    return false;
  }

  /** Tells whether Spark passes over a line. */
  static boolean isEmpty(String line) {
    return line.trim().isEmpty();
  }

  /** Returns the fields of a line; none where the parser sees nothing in it. */
  static String[] fields(CsvParser parser, String line) {
    String[] fields = parser.parseLine(line);
    return fields == null ? new String[0] : fields;
  }

  private static boolean startsWithMark(Text line) {
    byte[] bytes = line.getBytes();
    return line.getLength() >= MARK.length
        && bytes[0] == MARK[0]
        && bytes[1] == MARK[1]
        && bytes[2] == MARK[2];
  }

  /** Returns the first row, or null if there is none. */
  Row first(Configuration hadoop) throws IOException {
    Row[] found = new Row[1];
    forEach(
        hadoop,
        row -> {
          found[0] = row;
          return true;
        });
    return found[0];
  }

  /**
   * Says which row has too many or too few fields.
   *
   * @param columns the fields that rows should have
   */
  BadDataException malformed(Configuration hadoop, int columns) throws IOException {
    BadDataException[] found = new BadDataException[1];
    forEach(
        hadoop,
        row -> {
          if (row.fields.length != columns) {
            found[0] = malformed(row, columns);
          }
          return found[0] != null;
        });
    return found[0];
  }

  private BadDataException malformed(Row row, int columns) {
    String quote = String.valueOf(format.parsed().quote());
    boolean open = (row.text.length() - row.text.replace(quote, "").length()) % 2 == 1;
    return new BadDataException(
        "%s, line %d: %d field%s where the first row has %d: %s; correct the row%s"
            .formatted(
                row.file.toUri().getPath(),
                row.line,
                row.fields.length,
                row.fields.length == 1 ? "" : "s",
                columns,
                ShownText.of(row.text.strip()),
                remedy(open, columns)));
  }

  private static String remedy(boolean open, int columns) {
    if (open) {
      return ", or say with --multi-line that quoted fields hold line breaks";
    }
    return columns == 1
        ? ", or set the character between fields with --separator (decimals are written with a"
            + " point)"
        : "";
  }
}
