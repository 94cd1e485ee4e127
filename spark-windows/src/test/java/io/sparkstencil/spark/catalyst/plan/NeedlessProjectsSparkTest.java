/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stencil operators have no more projections around them than Spark's own windows. */
@WithSpark
final class NeedlessProjectsSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path folder) {
    spark = session;
    String table = folder.resolve("table").toString();
    spark
        .sql("select id as t, id % 7 as v, id % 3 as g, sin(id) as d from range(100)")
        .write()
        .parquet(table);
    spark.read().parquet(table).createOrReplaceTempView("files");
  }

  private static int projects(Dataset<Row> query) {
    SparkPlan plan = WindowPlans.plan(query);
    return WindowPlans.find(plan, ProjectExec.class).size()
        + WindowPlans.find(plan, ColumnProjectExec.class).size();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select g + v, t + 1, s from (select g, v, t, sum(v) over (partition by g order by t rows 2 preceding) s from files) | true",
        "select g + v, t + 1, s from (select g, v, t, sum(v) over (order by t rows 2 preceding) s from files) | true",
        "select g + v, t + 1, s from (select g, v, t, sum(v) over (order by t rows 2 preceding) s from files where d > 0) | false",
        "select g, v, t, sum(v) over (order by t rows 2 preceding) s from files | false"
      })
  void areTakenAwayAsBelowSparksWindows(String sql, boolean some) {
    for (String adaptive : List.of("true", "false")) {
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
      spark.conf().set("spark.stencil.sql.enabled", "false");
      Dataset<Row> theirs = spark.sql(sql);
      List<String> expected = RowBits.sorted(theirs);
      spark.conf().set("spark.stencil.sql.enabled", "true");
      Dataset<Row> ours = spark.sql(sql);
      assertThat(RowBits.sorted(ours)).isEqualTo(expected);
      assertThat(ours.columns()).isEqualTo(theirs.columns());
      assertThat(WindowPlans.stencils(ours)).isNotEmpty();
      assertThat(projects(ours)).isEqualTo(projects(theirs));
      spark.conf().set("spark.sql.execution.removeRedundantProjects", "false");
      Dataset<Row> all = spark.sql(sql);
      assertThat(RowBits.sorted(all)).isEqualTo(expected);
      assertThat(projects(all) > projects(ours)).isEqualTo(some);
      spark.conf().unset("spark.sql.execution.removeRedundantProjects");
    }
  }
}
