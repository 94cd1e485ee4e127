/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.ColumnProgram;
import io.sparkstencil.spark.StencilReport;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in SQL and over columns on a GPU: the bits of the CPU. */
@WithSpark
@RequiresGpu
final class ProgramsGpuSparkTest {
  private static SparkSession session(String engine) {
    SparkSession session = ArraySession.get().newSession();
    session.conf().set("spark.stencil.engine", engine);
    session
        .sql(
            "SELECT id, transform(sequence(1, 60 + id % 3), i -> IF(id = 7 AND i = 9, NULL, sin(i * id))) AS a,"
                + " transform(sequence(1, 200), y -> transform(sequence(1, 150), x -> float(cos(id + x * y)))) AS image"
                + " FROM range(0, 60, 1, 2)")
        .createOrReplaceTempView("arrays_for_gpu");
    return session;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stencil_expr(a, 'u + 0.2*(u[-1] - 2*u + u[1])', 20, 'wrap')",
        "stencil_expr(image, 'u + 0.2*laplacian(u)', 25, 'x=mirror, y=constant:1', 'fma')",
        "stencil2d_gaussian(image, 2)",
        "stencil_expr(named_struct('u', image, 'c', image), \"u' = u + c[0,0]*(u[1,0] - u)\", 9)",
      })
  void sqlHasTheBitsOfTheCpu(String call) {
    String query = "SELECT id, %s AS r FROM arrays_for_gpu ORDER BY id".formatted(call);
    assertThat(texts(session("gpu").sql(query))).isEqualTo(texts(session("cpu").sql(query)));
  }

  private static List<String> texts(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void columnsHaveTheBitsOfTheCpu() {
    assertThat(column("gpu")).isEqualTo(column("cpu"));
  }

  private static List<String> column(String engine) {
    SparkSession session = session(engine);
    Dataset<Row> table = session.sql("SELECT id AS t, sin(id) AS v FROM range(300000)");
    ColumnProgram heat =
        ColumnProgram.of(ProgramText.parse("u + 0.2*(u[-1] - 2*u + u[1])", 1)).withSteps(40);
    StencilReport report = StencilReport.listen(session);
    List<String> texts;
    try (report) {
      texts =
          texts(Stencils.over(table).orderBy("t").engine(engine).apply("v", heat, "r").toDataset());
    }
    assertThat(report.engine()).isEqualTo(engine);
    assertThat(report.fallbacks()).isZero();
    return texts;
  }
}
