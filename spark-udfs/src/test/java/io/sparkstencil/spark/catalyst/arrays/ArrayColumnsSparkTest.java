/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays out of the columns of the vectorised Parquet reader. */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class ArrayColumnsSparkTest {
  private static final String FUNCTIONS =
      "SELECT id, stencil_mean(a, 2) AS m, stencil_max(a, 1, 0, 'shrink') AS x,"
          + " stencil_count(a, 3, 'wrap') AS c, stencil_sum(nested, 1) AS n, a FROM ";

  /** Few different values make dictionaries, many none. */
  @ParameterizedTest
  @CsvSource({
    "float, 5, false",
    "double, 100000, true",
    "int, 5, true",
    "bigint, 100000, false",
    "float, 100000, true",
    "double, 5, false"
  })
  void columnsGiveWhatRowsGive(String type, int values, boolean offHeap, @TempDir Path folder) {
    SparkSession spark = ArraySession.get();
    String file = folder.resolve("arrays").toString();
    spark
        .sql(
            """
            SELECT id, IF(id %% 11 = 4, NULL, transform(sequence(1, 1 + id %% 60),
                i -> IF(id %% 4 = 1 AND i %% 5 = 2, NULL, CAST(i * id %% %2$d AS %1$s)))) AS a,
              IF(id %% 9 = 2, NULL, array(array(CAST(id AS %1$s), 2, 3, NULL), NULL, array(),
                array(CAST(id AS %1$s), 4, 5))) AS nested
            FROM range(0, 700, 1, 2)
            """
                .formatted(type, values))
        .write()
        .parquet(file);
    spark.conf().set("spark.sql.columnVector.offheap.enabled", offHeap);
    try {
      spark.read().parquet(file).createOrReplaceTempView("parquet_arrays");
      Dataset<Row> columns = spark.sql(FUNCTIONS + "parquet_arrays");
      ArrayProjectExec operator = ArraySession.operators(columns).get(0);
      assertThat(operator.child().supportsColumnar()).isTrue();
      assertThat(operator.child()).isNotInstanceOf(ColumnarToRowExec.class);
      assertThat(operator.metrics().apply("numOutputRows").value()).isEqualTo(700);
      spark.conf().set("spark.sql.parquet.enableVectorizedReader", false);
      Dataset<Row> rows = spark.sql(FUNCTIONS + "parquet_arrays");
      assertThat(ArraySession.operators(rows).get(0).child().supportsColumnar()).isFalse();
      List<Row> expected = rows.collectAsList();
      assertThat(columns.collectAsList())
          .hasSize(700)
          .containsExactlyInAnyOrderElementsOf(expected);
    } finally {
      spark.conf().unset("spark.sql.columnVector.offheap.enabled");
      spark.conf().unset("spark.sql.parquet.enableVectorizedReader");
    }
  }

  /** What the SQL page shows of the engines. */
  @ParameterizedTest
  @CsvSource({"cpu, cpuTasks, referenceTasks", "reference, referenceTasks, cpuTasks"})
  void metricsTellTheEngine(String engine, String counted, String notCounted) {
    SparkSession spark = ArraySession.get();
    spark.conf().set("spark.stencil.engine", engine);
    try {
      Dataset<Row> results =
          spark.sql(
              "SELECT stencil_mean(a, 1) AS m FROM (SELECT transform(sequence(1, 10),"
                  + " i -> float(i + id)) AS a FROM range(0, 6, 1, 3))");
      var metrics = ArraySession.operators(results).get(0).metrics();
      assertThat(metrics.apply(counted).value()).isEqualTo(3);
      assertThat(metrics.apply(notCounted).value() + metrics.apply("fallbacks").value()).isZero();
      assertThat(metrics.apply("cells").value()).isEqualTo(60);
      assertThat(metrics.apply("stagedBytes").value()).isEqualTo(6 * 12 * 4);
      assertThat(metrics.apply("stencilTime").value()).isPositive();
    } finally {
      spark.conf().unset("spark.stencil.engine");
    }
  }
}
