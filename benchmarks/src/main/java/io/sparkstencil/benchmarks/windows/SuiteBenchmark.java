/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Queries with windows as users write them. */
@Command(name = "suite", description = "30 queries with windows, against Spark's own operators.")
public final class SuiteBenchmark extends TableBenchmark {
  /** A line with a name, and a query up to the semicolon. */
  private static final Pattern QUERY = Pattern.compile("(?m)^-- ([a-z0-9-]+)$([^;]+);");

  @Option(names = "--names", defaultValue = ".*", description = "A pattern of queries.")
  private Pattern names;

  /** Returns the queries by name, over the views of {@link TableBenchmark}. */
  static Map<String, String> queries() {
    try (InputStream file = SuiteBenchmark.class.getResourceAsStream("suite.sql")) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      Map<String, String> queries = new LinkedHashMap<>();
      for (Matcher query = QUERY.matcher(text); query.find(); ) {
        queries.put(query.group(1), query.group(2).strip());
      }
      return queries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void measureQueries() {
    queries()
        .forEach(
            (name, sql) -> {
              if (names.matcher(name).matches()) {
                measure("suite/%s/%%d".formatted(name), sql);
              }
            });
  }
}
