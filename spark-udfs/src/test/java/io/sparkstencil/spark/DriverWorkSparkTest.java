/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the driver would evaluate becomes a job: also constants that are longer than a message to an
 * executor may be, here 1 MiB, and with a serializer that knows only registered classes.
 */
final class DriverWorkSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Sessions.stopOpen();
    spark =
        Sessions.builder("local[2]")
            .config("spark.rpc.message.maxSize", "1")
            .config(Sessions.KRYO)
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "array(1D, 2D, 3D)",
        "array(1, NULL, 3)",
        "array(array(1D, 2D), array(3D, 4D))",
        "sequence(1, 600000)",
        "array_repeat(0.1D, 300000)",
        "array_repeat(sequence(1, 700), 600)",
      })
  void isAJobWithTheSameResults(String array) {
    String next = array.matches("(array|array_repeat)\\((array|sequence)\\(.*") ? "[1,0]" : "[1]";
    String call =
        "hash(stencil_expr(%s, '0.5*u + 0.5*u%s', %d)) AS h"
            .formatted("a", next, array.contains("00") ? 200 : 300_000);

    List<Row> onExecutors =
        spark
            .sql("SELECT %s AS a FROM range(0, 1, 1, 1)".formatted(array))
            .repartition(1)
            .selectExpr(call)
            .collectAsList();

    assertThat(
            spark.sql("SELECT %s FROM VALUES (%s) AS t (a)".formatted(call, array)).collectAsList())
        .isEqualTo(onExecutors);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 150_000})
  void isAJobForSeveralFieldsToo(int cells) {
    String fields =
        "named_struct('u', array_repeat(0.1D, %1$d), 'c', cast(sequence(1, %1$d) AS array<double>))"
            .formatted(cells);
    String call =
        "hash(stencil_expr(a, \"u' = 0.5*u[1] + c[0]\", %d)) AS h"
            .formatted(cells == 2 ? 300_000 : 300);

    assertThat(
            spark
                .sql("SELECT %s FROM VALUES (%s) AS t (a)".formatted(call, fields))
                .collectAsList())
        .isEqualTo(
            spark
                .sql("SELECT %s AS a FROM range(0, 1, 1, 1)".formatted(fields))
                .repartition(1)
                .selectExpr(call)
                .collectAsList());
  }
}
