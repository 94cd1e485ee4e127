/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where only keys are asked for, only keys are read. */
@WithSpark
final class NarrowPlanSparkTest {
  private static final Bytes BYTES = new Bytes();

  @TempDir static Path folder;
  private static SparkSession spark;

  /** Counts the bytes that tasks read from files. */
  private static final class Bytes extends SparkListener {
    private final AtomicLong read = new AtomicLong();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd task) {
      read.addAndGet(task.taskMetrics().inputMetrics().bytesRead());
    }
  }

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    // What is read in vectors is not counted.
    spark.conf().set("parquet.hadoop.vectored.io.enabled", "false");
    spark
        .range(0, 4000, 1, 2)
        .selectExpr(
            "pmod(id * 7919, 4001) as t",
            "cast(id as string) as name",
            "sin(id) as d",
            "sha2(cast(id as string), 512) || sha2(cast(-id as string), 512) as payload",
            "id % 2 as part")
        .write()
        .partitionBy("part")
        .parquet(folder.resolve("cells").toString());
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
    spark.table("cells").where("t >= 0").cache().createOrReplaceTempView("kept");
    spark.table("kept").count();
    spark.sparkContext().addSparkListener(BYTES);
  }

  @AfterAll
  static void stopListening() {
    spark.sparkContext().removeSparkListener(BYTES);
  }

  private static SparkPlan plan(String sql) {
    Dataset<Row> query = spark.sql(sql);
    return ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution().executedPlan();
  }

  private static Attribute column(SparkPlan plan, String name) {
    return ScalaInterop.list(plan.output()).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Long> values(SparkPlan plan, Attribute column) {
    UnsafeProjection key = UnsafeProjection.create(ScalaInterop.seqOf(column), plan.output());
    return Stream.of(plan.executeCollect()).map(row -> key.apply(row).getLong(0)).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from cells",
        "select *, part + 1 as next from cells where d > 0",
        "select t + 1 as t, payload, length(payload) as long from cells where name <> '17'",
        "select * from cells where part = 1",
        "select * from kept",
        "select t, payload || name as both, d from kept where d < 0.5",
      })
  void hasAllRowsAndFewerColumns(String sql) {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    SparkPlan plan = plan(sql);
    Attribute key = column(plan, "t");
    SparkPlan narrow = NarrowPlan.of(plan, List.of(key));
    assertThat(narrow.output().size()).isLessThan(plan.output().size());
    assertThat(ScalaInterop.list(narrow.collectLeaves()))
        .hasSize(1)
        .allSatisfy(scan -> assertThat(scan.output().mkString()).doesNotContain("payload"));
    assertThat(values(narrow, key)).isEqualTo(values(plan, key)).isNotEmpty();
  }

  @Test
  void isThePlanItselfWhereNothingIsSpared() {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    for (String sql :
        List.of(
            "select t from cells",
            "select t, max(payload) from cells group by t",
            "select t, payload from cells union all select t, name from kept")) {
      SparkPlan plan = plan(sql);
      assertThat(NarrowPlan.of(plan, List.of(column(plan, "t")))).as(sql).isSameAs(plan);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "name desc, t", "part, t", "cast(t as int)"})
  void samplesReadKeysOnly(String order) throws Exception {
    long file = 0;
    try (Stream<Path> files = Files.walk(folder.resolve("cells"))) {
      for (Path each : files.filter(path -> path.toString().endsWith(".parquet")).toList()) {
        file += Files.size(each);
      }
    }
    String sql =
        "select t, payload, sum(d) over (order by ORDER rows 3 preceding) s from cells"
            .replace("ORDER", order);
    spark.conf().set("spark.stencil.sql.enabled", "false");
    List<String> expected = RowBits.sorted(spark.sql(sql));
    spark.conf().set("spark.stencil.sql.enabled", "true");
    spark.sparkContext().listenerBus().waitUntilEmpty();
    BYTES.read.set(0);
    assertThat(RowBits.sorted(spark.sql(sql))).isEqualTo(expected);
    spark.sparkContext().listenerBus().waitUntilEmpty();
    assertThat(BYTES.read.get()).isBetween(file * 9 / 10, file * 14 / 10);
  }
}
