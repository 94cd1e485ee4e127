/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Rows in words that tell any two doubles with different bits apart, all NaN alike. */
public final class RowBits {
  private RowBits() {}

  /** Returns the rows in their order. */
  public static List<String> of(Dataset<Row> rows) {
    List<String> words = new ArrayList<>();
    for (Row row : rows.collectAsList()) {
      words.add(of(row));
    }
    return words;
  }

  /** Returns the rows in an order of their own. */
  public static List<String> sorted(Dataset<Row> rows) {
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
    return rows.stream()
        .map(
            row ->
                words(
                    row, IntStream.concat(IntStream.range(0, given), IntStream.of(given + result))))
        .sorted()
        .toList();
  }

  private static String of(Row row) {
    return words(row, IntStream.range(0, row.size()));
  }

  private static String words(Row row, IntStream columns) {
    return columns.mapToObj(i -> word(row.get(i))).collect(Collectors.joining(" "));
  }

  /** Returns a value in words. */
  public static String word(Object value) {
    if (value instanceof Double number) {
      return "d" + Long.toHexString(Double.doubleToLongBits(number));
    } else if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    } else if (value instanceof Float number) {
      return "f" + Integer.toHexString(Float.floatToIntBits(number));
    }
    return String.valueOf(value);
  }
}
