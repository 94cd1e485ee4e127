/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.files.InputFiles;
import io.sparkstencil.jobs.files.InputTable;
import io.sparkstencil.jobs.files.TableFormat;
import java.nio.charset.Charset;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say which table is read, and how. */
final class InputOptions {
  /** Spark itself knows few encodings unless it is told to take those of Java. */
  static final Map<String, String> SPARK_CONFIGURATION =
      Map.of("spark.sql.legacy.javaCharsets", "true");

  private static final String NONE = "none";
  private static final List<String> OF_JSON = List.of("--encoding", "--multi-line");
  private static final List<String> OF_CSV =
      List.of(
          "--separator",
          "--quote",
          "--no-header",
          "--null-value",
          "--encoding",
          "--time-zone",
          "--multi-line");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--input",
      required = true,
      paramLabel = "PATH",
      description = "The table to read: a file, a folder, or a pattern.")
  private String input;

  @Option(
      names = "--format",
      paramLabel = "F",
      description =
          "Input format: parquet, csv, json or orc. Default: derived from the extension of the path"
              + " or of its first file, or from its first bytes.")
  private TableFormat format;

  @Option(
      names = "--separator",
      paramLabel = "C",
      description = "csv: the character between fields; \\t is a tab. Default: a comma.")
  private String separator;

  @Option(
      names = "--quote",
      paramLabel = "C",
      description =
          "csv: the character around fields, doubled within them, or none. Default: a double"
              + " quote.")
  private String quote;

  @Option(
      names = "--no-header",
      description = "csv: the first line is a row; columns are named _c0, _c1, ...")
  private boolean noHeader;

  @Option(
      names = "--null-value",
      paramLabel = "TEXT",
      description = "csv: the field that means null, as an empty one does; such as NA.")
  private String nullValue;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "csv, json: how characters are encoded. Default: UTF-8.")
  private String encoding;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "csv: the zone of times that name none, such as Europe/Rome. Default: UTC.")
  private String timeZone;

  @Option(
      names = "--multi-line",
      description =
          "csv: quoted fields may hold line breaks; json: objects may. Files are not split.")
  private boolean multiLine;

  /**
   * Returns the files of the input.
   *
   * @throws InvalidStencilException if there are none, or an option has no such value
   */
  InputFiles files(Configuration hadoop) {
    requireValues();
    return InputFiles.at(input, hadoop);
  }

  /**
   * Returns the table that {@code files} make.
   *
   * @throws InvalidStencilException if an option is not one of their format
   */
  InputTable table(InputFiles files) {
    TableFormat used = format == null ? files.format() : format;
    requireOnlyOptionsOf(used);
    return new InputTable(input, files.pattern(), used, used.isText() ? readOptions() : Map.of());
  }

  private Map<String, String> readOptions() {
    Map<String, String> options = new HashMap<>();
    if (separator != null) {
      options.put("sep", separator);
    }
    if (quote != null) {
      String character = quote.equals(NONE) ? "" : quote;
      options.put("quote", character);
      options.put("escape", character);
    }
    if (noHeader) {
      options.put("header", "false");
    }
    if (nullValue != null) {
      options.put("nullValue", nullValue);
    }
    if (encoding != null) {
      options.put("encoding", encoding);
    }
    if (timeZone != null) {
      options.put("timeZone", timeZone);
    }
    if (multiLine) {
      options.put("multiLine", "true");
    }
    return options;
  }

  private void requireValues() {
    String between = separator == null ? "," : separator.equals("\\t") ? "\t" : separator;
    requireCharacter("--separator", between, "one character, or \\t for a tab");
    String around = quote == null ? "\"" : quote;
    if (!around.equals(NONE)) {
      requireCharacter("--quote", around, "one character, or none");
    }
    if (between.equals(around)) {
      throw new InvalidStencilException(
          "--separator and --quote are both \"%s\"; use two characters, or --quote none"
              .formatted(around));
    }
    if (timeZone != null) {
      requireZone();
    }
    if (encoding != null) {
      requireEncoding();
    }
  }

  private static void requireCharacter(String option, String given, String remedy) {
    if (given.length() != 1 || given.matches("[\r\n\\\\\0]")) {
      throw new InvalidStencilException(
          "%s \"%s\" cannot be told from the rest of a line; use %s"
              .formatted(option, given, remedy));
    }
  }

  private void requireZone() {
    try {
      ZoneId.of(timeZone);
    } catch (DateTimeException e) {
      throw new InvalidStencilException(
          "--time-zone %s is unknown; use a name such as Europe/Rome, or a distance such as +01:00"
              .formatted(timeZone),
          e);
    }
  }

  private void requireEncoding() {
    Charset charset;
    try {
      charset = Charset.forName(encoding);
    } catch (IllegalArgumentException e) {
      throw new InvalidStencilException(
          "--encoding %s is unknown; use a name such as UTF-8, ISO-8859-1 or windows-1252"
              .formatted(encoding),
          e);
    }
    byte[] lineBreak = "a\n".getBytes(charset);
    if (!multiLine && (lineBreak.length != 2 || lineBreak[1] != '\n')) {
      throw new InvalidStencilException(
          "--encoding %s has line breaks of several bytes, at which files cannot be split; add --multi-line"
              .formatted(encoding));
    }
  }

  /** Refuses options that the format does not read, so that none is silently without effect. */
  private void requireOnlyOptionsOf(TableFormat used) {
    List<String> taken =
        switch (used) {
          case CSV -> OF_CSV;
          case JSON -> OF_JSON;
          case PARQUET, ORC -> List.of();
        };
    String foreign =
        command.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(option -> OF_CSV.contains(option) && !taken.contains(option))
            .collect(Collectors.joining(", "));
    if (!foreign.isEmpty()) {
      throw new InvalidStencilException(
          "%s is of no use with files in the format %s; omit it, or set the format with --format"
              .formatted(foreign, used.sparkName()));
    }
  }
}
