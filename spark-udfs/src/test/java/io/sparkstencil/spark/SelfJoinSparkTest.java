/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Results that meet themselves in one query. */
@WithSpark
final class SelfJoinSparkTest {
  @Test
  void resultsJoinWithThemselves(SparkSession spark) throws Exception {
    Dataset<Row> table = spark.range(0, 100, 1, 3).toDF("t");
    Dataset<Row> sums = Stencils.over(table).orderBy("t").sum("t", 1, "s").toDataset();

    Dataset<Row> joined = sums.alias("a").join(sums.alias("b"), "t").where("a.s = b.s");

    assertThat(joined.count()).isEqualTo(100);
    assertThat(joined.selectExpr("sum(a.s)").first().getLong(0)).isEqualTo(3 * 4950 - 99);
  }
}
