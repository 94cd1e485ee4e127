/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The array functions on a GPU: every function, type and boundary, with nulls, bit for bit. */
@WithSpark
@RequiresGpu
final class ArrayFunctionsGpuSparkTest {
  private static final long SEED = 20261122;

  @ParameterizedTest
  @ValueSource(strings = {"float", "double", "int", "bigint"})
  void theGpuGivesTheBitsOfTheReference(String type) {
    String rows = ArrayEvaluationSparkTest.arrays(type, new Random(SEED));
    List<String> calls = ArrayEvaluationSparkTest.calls();
    int perQuery = 40;
    for (int from = 0; from < calls.size(); from += perQuery) {
      String query =
          ArrayEvaluationSparkTest.query(
              calls.subList(from, Math.min(calls.size(), from + perQuery)), type, rows);
      assertThat(ArrayEvaluationSparkTest.with("gpu", ArraySession.Mode.BATCHED, query))
          .as("seed %d", SEED)
          .isEqualTo(ArrayEvaluationSparkTest.with("reference", ArraySession.Mode.BATCHED, query));
    }
  }

  /** Longer than a batch, so that several are in flight. */
  @Test
  void manyBatchesInFlightGiveTheBitsOfTheCpu() {
    ArraySession.get()
        .sql(
            "SELECT id, transform(sequence(1, 3000 + id % 7), i -> float(sin(i * id))) AS a"
                + " FROM range(0, 2000, 1, 2)")
        .persist()
        .createOrReplaceTempView("many");
    String query =
        "SELECT id, stencil_mean(a, 8) AS m, stencil_max(a, 3, 5, 'reflect') AS x,"
            + " stencil_iterate(a, array(0.25, 0.5, 0.25), 9, 'wrap') AS t FROM many";
    assertThat(engineOf("gpu", query)).isEqualTo("gpu");
    assertThat(ArrayEvaluationSparkTest.with("gpu", ArraySession.Mode.BATCHED, query))
        .isEqualTo(ArrayEvaluationSparkTest.with("cpu", ArraySession.Mode.BATCHED, query));
  }

  /** Returns the engine that all of a query's stagings ran on. */
  private static String engineOf(String engine, String query) {
    ArraySession.get().conf().set("spark.stencil.engine", engine);
    try {
      Dataset<Row> results = ArraySession.get().sql(query);
      ArrayProjectExec operator = ArraySession.operators(results).get(0);
      long gpu = operator.metrics().apply("gpuTasks").value();
      long others =
          operator.metrics().apply("cpuTasks").value()
              + operator.metrics().apply("referenceTasks").value();
      return gpu > 0 && others == 0 ? "gpu" : "others";
    } finally {
      ArraySession.get().conf().unset("spark.stencil.engine");
    }
  }
}
