/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.model.ElementType;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Functions over an array column, as a query.
 *
 * @param function {@code mean}, {@code min}, {@code mean+max}, {@code weighted} or {@code iterate}
 * @param size the radius, or for {@code iterate} the steps of a heat equation on a ring
 */
record ArrayWork(String function, int size) {
  static final String ITERATE = "iterate";

  /** Returns rows of a number and of uniform noise in [-1, 1), the same for the same arguments. */
  static Dataset<Row> traces(
      SparkSession spark, ElementType type, int rows, int length, int partitions) {
    return spark
        .range(0, rows, 1, partitions)
        .selectExpr(
            "id",
            "transform(sequence(1, %d), i -> CAST(xxhash64(id, i) * %sD AS %s)) AS a"
                .formatted(length, 0x1p-63, type == ElementType.F32 ? "float" : "double"));
  }

  /** Returns the name of the row for cells of {@code type}. */
  String name(ElementType type) {
    return "arrays/%s/%s/%s=%d"
        .formatted(
            function,
            type.name().toLowerCase(Locale.ROOT),
            function.equals(ITERATE) ? "steps" : "k",
            size);
  }

  /** Returns the query. */
  String sql() {
    String calls =
        switch (function) {
          case "mean+max" ->
              "stencil_mean(a, %1$d, 'valid') AS r, stencil_max(a, %1$d, 'valid') AS x"
                  .formatted(size);
          case "weighted" ->
              "stencil_correlate(a, array(%s), 'valid') AS r"
                  .formatted(
                      IntStream.rangeClosed(0, 2 * size)
                          .mapToObj(tap -> (tap % 7 - 3) / 8.0 + "D")
                          .collect(Collectors.joining(", ")));
          case ITERATE ->
              "stencil_iterate(a, array(0.25D, 0.5D, 0.25D), %d, 'wrap') AS r".formatted(size);
          default -> "stencil_%s(a, %d, 'valid') AS r".formatted(function, size);
        };
    return "SELECT " + calls + " FROM traces";
  }

  /** Returns the query of a mean as Spark's own functions write it, over a sample. */
  String transform(ElementType type) {
    return """
    SELECT transform(
      sequence(1, size(a) - 2 * %1$d),
      i -> aggregate(slice(a, i, 2 * %1$d + 1), %2$s, (s, x) -> s + x) / (2 * %1$d + 1)) AS r
    FROM sample
    """
        .formatted(size, type == ElementType.F32 ? "0F" : "0D");
  }
}
