/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

@WithSpark(options = "spark.stencil.sql.enabled=true")
final class OperatorMetricsSparkTest {
  /** Who reads the SQL page finds the same counters, however windows are computed. */
  @Test
  void allOperatorsCountTheSame(SparkSession spark) {
    spark
        .range(0, 1500, 1, 3)
        .selectExpr("pmod(id * 7919, 1511) as t", "id % 13 as g", "sin(id) as d")
        .createOrReplaceTempView("cells");
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            """
            select *, avg(d) over (order by t rows 2 preceding) as a,
              row_number() over (order by t) as n, stddev(d) over (order by t rows 9 preceding) as s,
              rank() over (partition by g order by t) as r,
              lag(d) over (partition by g order by t) as l
            from cells
            """);

    List<StencilExec> operators = WindowPlans.find(WindowPlans.plan(ours), StencilExec.class);
    assertThat(operators)
        .extracting(StencilExec::place)
        .contains(WindowPlace.SERIES, WindowPlace.CELLS, WindowPlace.STATES, WindowPlace.HALOS);
    for (StencilExec each : operators) {
      assertThat(each.metrics().keySet()).isEqualTo(operators.get(0).metrics().keySet());
      assertThat(each.metrics().apply("numOutputRows").value()).isEqualTo(1500);
      assertThat(each.metrics().apply("partitions").value()).isPositive();
    }
  }
}
