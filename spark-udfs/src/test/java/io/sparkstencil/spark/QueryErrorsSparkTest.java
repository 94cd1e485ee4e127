/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Wrong calls are refused in words, before anything runs where that is possible. */
@WithSpark
final class QueryErrorsSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static Dataset<Row> table() {
    return spark.sql("select id as t, id % 2 as g, id * 1.0D as v from range(10)");
  }

  @Test
  void refusesNullsByName() {
    StencilQuery query = Stencils.over(table());
    assertThatThrownBy(() -> query.orderBy((String) null)).hasMessage("order column is null");
    assertThatThrownBy(() -> query.orderBy((String[]) null)).hasMessage("order columns is null");
    assertThatThrownBy(() -> query.partitionBy("g", null)).hasMessage("key column is null");
    assertThatThrownBy(() -> query.weighted("v", 1, null, "w")).hasMessage("weights is null");
    assertThatThrownBy(() -> query.boundary(null)).hasMessageContaining("is null");
  }

  @Test
  void refusesToWrapSeriesOfAnOrderedInputBeforeAnythingRuns() {
    StencilQuery query =
        Stencils.over(table())
            .orderBy("t")
            .partitionBy("g")
            .ordered()
            .boundary("wrap")
            .mean("v", 1, "m");
    assertThatThrownBy(query::toDataset)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("boundary wrap")
        .hasMessageContaining("leave out ordered");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // the wrong call that is to be refused
  void refusesArraysOfAnotherTypeThanWasSaid() {
    JavaRDD floats =
        new JavaSparkContext(spark.sparkContext()).parallelize(List.of(new float[] {1, 2, 3}));
    Stencil mean = Stencil.mean(Frame.radius(1));
    BlockQuery<double[]> query = Stencils.over((JavaRDD<double[]>) floats, double[].class);
    assertThatThrownBy(() -> query.independent(mean).collect())
        .hasMessageContaining("the RDD holds float[], not double[]");
    assertThatThrownBy(() -> query.blocks(mean).collect())
        .hasMessageContaining("the RDD holds float[], not double[]");
  }
}
