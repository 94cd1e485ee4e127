/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.package$;

/**
 * A file of Spark's own tests: statements with the results that Spark's authors approved. The build
 * unpacks these files from the jar of tests that Spark publishes.
 *
 * @param name its path below the folder of results
 * @param statements its statements, in order
 */
record GoldenFile(String name, List<Statement> statements) {
  /** Where the build puts them; a path of the module. */
  static final Path FOLDER = Path.of("target", "spark-tests", package$.MODULE$.SPARK_VERSION());

  private static final Pattern STATEMENT =
      Pattern.compile(
          "-- !query\n(.*?)\n-- !query schema\n(.*?)\n-- !query output\n(.*?)(?=\n-- !query\n|\\z)",
          Pattern.DOTALL);
  private static final Pattern WINDOW =
      Pattern.compile("\\b(over|window)\\b", Pattern.CASE_INSENSITIVE);

  /**
   * A statement.
   *
   * @param sql its text
   * @param schema the columns of its result, as Spark writes their types
   * @param output the rows of its result, a line each, or the class and the details of an error
   */
  record Statement(String sql, String schema, String output) {
    /** Tells whether the statement changes tables, views or settings, and returns no rows. */
    boolean isCommand() {
      return schema.equals("struct<>") && output.isBlank();
    }

    /** Tells whether the statement may have windows. */
    boolean hasWindows() {
      return WINDOW.matcher(sql).find();
    }

    /** Returns the lines of the output, without spaces at their ends. */
    List<String> rows() {
      return output.isEmpty() ? List.of() : output.lines().map(String::stripTrailing).toList();
    }

    /** Tells whether the statement fails. */
    boolean fails() {
      return schema.equals("struct<>") && !output.isBlank();
    }
  }

  /** Returns rows in an order of their own. */
  static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  private static Path path(String name) {
    return FOLDER.resolve("sql-tests/results/" + name + ".out");
  }

  /** Tells whether the Spark at hand has a file of results. */
  static boolean isThere(String name) {
    return Files.exists(path(name));
  }

  /** Reads a file of results, such as {@code postgreSQL/window_part1.sql}. */
  static GoldenFile read(String name) {
    try {
      String text = Files.readString(path(name));
      List<Statement> statements = new ArrayList<>();
      for (Matcher each = STATEMENT.matcher(text); each.find(); ) {
        statements.add(new Statement(each.group(1), each.group(2), each.group(3).strip()));
      }
      return new GoldenFile(name, statements);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
