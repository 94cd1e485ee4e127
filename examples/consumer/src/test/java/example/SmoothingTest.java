/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class SmoothingTest {
  @Test
  void meansOfNeighbours() throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.plugins", "io.sparkstencil.spark.StencilPlugin")
            .getOrCreate()) {
      List<Row> rows =
          Smoothing.smooth(spark.sql("SELECT id AS t, CAST(id * id AS DOUBLE) AS v FROM range(5)"), 1)
              .orderBy("t")
              .select("v_mean")
              .collectAsList();

      assertEquals(
          List.of(0.5, 5 / 3.0, 14 / 3.0, 29 / 3.0, 12.5),
          rows.stream().map(row -> row.getDouble(0)).toList());
    }
  }
}
