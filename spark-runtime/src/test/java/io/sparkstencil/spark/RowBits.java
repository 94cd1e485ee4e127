/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import scala.Option;
import scala.collection.Map;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows in words that tell any two values of a type apart, doubles by their bits, all NaN alike.
 * Texts are in quotes, so that no other value has the same words.
 */
public final class RowBits {
  private RowBits() {}

  /** Returns the rows in their order. */
  public static List<String> of(Dataset<Row> rows) {
    return of(collected(rows));
  }

  private static List<String> of(Row[] rows) {
    List<String> words = new ArrayList<>();
    for (Row row : rows) {
      words.add(of(row));
    }
    return words;
  }

  /**
   * Returns the rows that {@link Dataset#collectAsList} has, by closures for each type: its encoder
   * is expressions, which take a tenth of the time of all tests where they are not compiled.
   */
  public static Row[] collected(Dataset<Row> rows) {
    QueryExecution query = ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution();
    return SQLExecution.withNewExecutionId(
        query,
        Option.apply("collectAsList"),
        () -> {
          query.executedPlan().resetMetrics();
          return query.executedPlan().executeCollectPublic();
        });
  }

  /** Returns the rows in an order of their own. */
  public static List<String> sorted(Dataset<Row> rows) {
    return sorted(collected(rows));
  }

  /** Returns the rows in an order of their own. */
  public static List<String> sorted(Row[] rows) {
    List<String> words = of(rows);
    words.sort(null);
    return words;
  }

  /**
   * Returns rows in an order of their own.
   *
   * @param given how many columns there are before results
   * @param result the one that rows have here
   */
  public static List<String> sorted(List<Row> rows, int given, int result) {
    return rows.stream().map(row -> words(row, given, given + result)).sorted().toList();
  }

  private static String of(Row row) {
    return words(row, row.size(), -1);
  }

  /** Returns the first columns of a row, and another one unless it is negative. */
  private static String words(Row row, int given, int other) {
    StringBuilder words = new StringBuilder(16 * given);
    for (int i = 0; i < given; i++) {
      append(i == 0 ? words : words.append(' '), row.get(i));
    }
    if (other >= 0) {
      append(words.append(' '), row.get(other));
    }
    return words.toString();
  }

  /** Returns a value in words. */
  public static String word(Object value) {
    StringBuilder word = new StringBuilder();
    append(word, value);
    return word.toString();
  }

  private static void append(StringBuilder words, Object value) {
    if (value instanceof Double number) {
      words.append('d').append(Long.toHexString(Double.doubleToLongBits(number)));
    } else if (value instanceof Float number) {
      words.append('f').append(Integer.toHexString(Float.floatToIntBits(number)));
    } else if (value instanceof byte[] bytes) {
      words.append('x').append(HexFormat.of().formatHex(bytes));
    } else if (value instanceof String text) {
      words.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
    } else if (value instanceof Row row) {
      words.append('(').append(of(row)).append(')');
    } else if (value instanceof Seq<?> elements) {
      words.append('[');
      CollectionConverters.asJava(elements).forEach(each -> append(words, each, " "));
      words.append(']');
    } else if (value instanceof Map<?, ?> entries) {
      words.append('{');
      CollectionConverters.asJava(entries)
          .forEach(
              (key, of) -> {
                append(words, key, "=");
                append(words, of, " ");
              });
      words.append('}');
    } else {
      words.append(value);
    }
  }

  private static void append(StringBuilder words, Object value, String end) {
    append(words, value);
    words.append(end);
  }
}
