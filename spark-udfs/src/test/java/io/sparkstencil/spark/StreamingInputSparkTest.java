/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

@WithSpark
class StreamingInputSparkTest {
  @Test
  void refusesStreams(SparkSession spark) {
    Dataset<Row> stream = spark.readStream().format("rate").load();
    StencilQuery query = Stencils.over(stream).orderBy("timestamp").mean("value", 1, "mean");
    assertThatThrownBy(query::toDataset)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("stream")
        .hasMessageContaining("foreachBatch");
  }
}
