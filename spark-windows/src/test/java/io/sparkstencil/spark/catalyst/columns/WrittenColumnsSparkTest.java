/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.util.QueryExecutionListener;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns of windows are written as they are by Spark's writers, and as rows by others. */
@WithSpark(options = {"spark.sql.shuffle.partitions=2", "spark.stencil.sql.enabled=true"})
final class WrittenColumnsSparkTest {
  private static final String VIEWS = "ColumnsToRows views";
  private static final String SQL =
      """
      select *, avg(v) over (partition by k order by t rows between 3 preceding and 2 following) as m,
        sum(n) over (partition by k order by t rows 4 preceding) as total
      from cells
      """;

  @TempDir static Path folder;
  private static SparkSession spark;
  private static final AtomicReference<String> PLAN = new AtomicReference<>();

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .sql(
            """
            select cast(id % 7 as int) as k, (id * 7919) % 10007 as t,
              if(id % 11 = 0, null, sin(id)) as v, if(id % 5 = 0, null, cast(id as short)) as n,
              cast(id / 8 as decimal(12, 3)) as d, id % 3 = 0 as even,
              date_add(date'1969-12-20', cast(id % 40 as int)) as day,
              if(id % 6 = 0, null, 'text ' || id % 17) as s
            from range(0, 5000, 1, 3)
            """)
        .write()
        .parquet(folder.resolve("cells").toString());
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
    spark
        .listenerManager()
        .register(
            new QueryExecutionListener() {
              @Override
              public void onSuccess(String name, QueryExecution query, long nanos) {
                PLAN.set(query.executedPlan().toString());
              }

              @Override
              public void onFailure(String name, QueryExecution query, Exception failure) {}
            });
  }

  private static DataFrameWriter<Row> writer(String format) {
    return writer(SQL, format);
  }

  private static DataFrameWriter<Row> writer(String sql, String format) {
    return spark.sql(sql).write().mode("overwrite").format(format);
  }

  /** Returns the plan of a write. */
  private static String written(DataFrameWriter<Row> writer, String name) throws Exception {
    PLAN.set(null);
    writer.save(folder.resolve(name).toString());
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return PLAN.get();
  }

  private static List<String> rows(String format, String name) {
    Dataset<Row> read = spark.read().format(format).load(folder.resolve(name).toString());
    return RowBits.of(read.orderBy(read.columns()[0], read.columns()[1]));
  }

  @ParameterizedTest
  @CsvSource({
    "parquet, true, ''",
    "parquet, false, ''",
    "orc, true, ''",
    "json, false, ''",
    "csv, true, ''",
    "parquet, true, none",
    "csv, false, none"
  })
  void filesAreThoseOfSpark(String format, boolean adaptive, String firstVersion) throws Exception {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    if (!firstVersion.isEmpty()) {
      spark.conf().set("spark.sql.sources.useV1SourceList", firstVersion);
    }
    String plan = written(writer(format), "ours");
    assertThat(plan).contains(VIEWS);
    spark.conf().set("spark.stencil.sql.enabled", false);
    assertThat(written(writer(format), "theirs")).contains("Window").doesNotContain(VIEWS);
    assertThat(rows(format, "ours")).hasSize(5000).isEqualTo(rows(format, "theirs"));
  }

  @ParameterizedTest
  @CsvSource({"parquet, true", "csv, false"})
  void ranksAndTotalsAreWrittenAsColumns(String format, boolean adaptive) throws Exception {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    String sql =
        """
        select *, dense_rank() over w as r, sum(v) over w as total, min(n) over w as least,
          last(s) over w as latest
        from cells window w as (partition by k order by t)
        """;
    assertThat(written(writer(sql, format), "ours")).contains("Stencil [").contains(VIEWS);
    spark.conf().set("spark.stencil.sql.enabled", false);
    written(writer(sql, format), "theirs");
    assertThat(rows(format, "ours")).hasSize(5000).isEqualTo(rows(format, "theirs"));
  }

  @ParameterizedTest
  @CsvSource({"0", "3"})
  void rowsForSeveralFoldersAreMade(int concurrentWriters) throws Exception {
    spark.conf().set("spark.sql.maxConcurrentOutputFileWriters", concurrentWriters);
    String plan = written(writer("parquet").partitionBy("day"), "ours");
    assertThat(plan).contains("Stencil [stencil_").doesNotContain(VIEWS);
    spark.conf().set("spark.stencil.sql.enabled", false);
    written(writer("parquet").partitionBy("day"), "theirs");
    assertThat(rows("parquet", "ours")).hasSize(5000).isEqualTo(rows("parquet", "theirs"));
  }

  @Test
  void otherConsumersGetRows() throws Exception {
    List<String> expected = RowBits.of(spark.sql(SQL).orderBy("k", "t"));
    Dataset<Row> query = spark.sql(SQL);
    query.write().format("noop").mode("overwrite").save();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    assertThat(PLAN.get()).contains(VIEWS);
    assertThat(query.collectAsList()).hasSize(5000);
    assertThat(query.queryExecution().executedPlan().toString()).doesNotContain(VIEWS);
    assertThat(RowBits.of(query.orderBy("k", "t"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void sumsThatOverflowFailThoughNobodyLooksAtThem(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark
        .range(0, 100, 1, 2)
        .selectExpr("id % 3 as k", "id as t", "if(id = 50, 9223372036854775807, id) as n")
        .createOrReplaceTempView("large");
    Dataset<Row> sums =
        spark.sql(
            "select *, sum(n) over (partition by k order by t rows 2 preceding) as s from large");
    assertThatThrownBy(() -> sums.write().format("noop").mode("overwrite").save())
        .hasStackTraceContaining("long overflow of s");
    assertThatThrownBy(() -> sums.where("k < 9").write().format("noop").mode("overwrite").save())
        .hasStackTraceContaining("overflow");
  }
}
