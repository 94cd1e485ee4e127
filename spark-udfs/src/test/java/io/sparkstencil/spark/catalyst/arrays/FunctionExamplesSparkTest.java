/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.functions.FunctionText;
import io.sparkstencil.spark.functions.SqlFunction;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.HiveResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the examples of the descriptions, and reads the descriptions. */
@WithSpark(options = "spark.sql.debug.maxToStringFields=25") // plans in full
final class FunctionExamplesSparkTest {
  @ParameterizedTest
  @MethodSource("io.sparkstencil.spark.functions.SqlFunction#all")
  void examplesGiveWhatTheySay(SqlFunction function) {
    for (FunctionText.Example example : function.text().examples()) {
      String query = example.query().replace("_FUNC_", function.sqlName());
      Dataset<Row> result = (Dataset<Row>) ArraySession.get().sql(query);
      List<String> lines =
          ScalaInterop.list(HiveResult.hiveResultString(result.queryExecution().executedPlan()));
      assertThat(lines).as(query).containsExactly(example.result());
    }
  }

  @ParameterizedTest
  @MethodSource("io.sparkstencil.spark.functions.SqlFunction#all")
  void descriptionsAreShown(SqlFunction function) {
    List<String> lines = new ArrayList<>();
    ArraySession.get()
        .sql("DESCRIBE FUNCTION EXTENDED " + function.sqlName())
        .collectAsList()
        .forEach(row -> lines.add(row.getString(0)));
    assertThat(String.join("\n", lines))
        .contains("Function: " + function.sqlName())
        .contains("Examples:")
        .contains("Arguments:")
        .doesNotContain("_FUNC_");
  }
}
