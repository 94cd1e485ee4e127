/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Windows of sessions that serialize with Kryo, which many do. */
final class KryoSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Option<SparkSession> open = SparkSession.getDefaultSession();
    if (open.isDefined()) {
      open.get().stop(); // its serializer is settled
    }
    spark =
        Sessions.builder("local[2]")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .getOrCreate();
    String rows =
        "select id, id * 7919 % 1009 as t, cast(id as string) as x, sin(id) as d from"
            + " range(1000)";
    spark.sql(rows).createOrReplaceTempView("rows");
    spark.sql(rows + " order by t").cache().createOrReplaceTempView("kept");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "avg(d) over (order by t rows 3 preceding)",
        "avg(d) over (order by x rows 3 preceding)",
        "row_number() over (order by t)",
        "dense_rank() over (order by x), sum(d) over (order by x)"
      })
  void windowsWithoutKeys(String window) {
    for (String input :
        List.of("rows", "(select * from rows order by t)", "(select * from kept)")) {
      String sql = "select id, " + window + " from " + input;
      spark.conf().set("spark.stencil.sql.enabled", "false");
      List<String> expected = RowBits.sorted(spark.sql(sql));
      spark.conf().set("spark.stencil.sql.enabled", "true");
      assertThat(RowBits.sorted(spark.sql(sql))).isEqualTo(expected);
    }
  }
}
