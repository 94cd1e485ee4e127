/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums of bigint overflow where Spark's do: an error in ANSI mode, wrapping without it. */
@WithSpark
final class SumOverflowSparkTest {
  private static final StructType SCHEMA =
      new StructType().add("t", DataTypes.LongType).add("v", DataTypes.LongType);

  private static SparkSession spark;
  @TempDir static Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static Dataset<Row> table(Long... values) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      rows.add(RowFactory.create((long) i, values[i]));
    }
    return spark.createDataFrame(rows, SCHEMA);
  }

  private static Dataset<Row> ours(Dataset<Row> table, int before, int after) {
    return Stencils.over(table).orderBy("t").sum("v", before, after, "s").toDataset();
  }

  private static Dataset<Row> sparks(Dataset<Row> table, int before, int after) {
    table.createOrReplaceTempView("sums");
    return spark.sql(
        "select t, v, sum(v) over (order by t rows between %d preceding and %d following) s from sums"
            .formatted(before, after));
  }

  private static String condition(Dataset<Row> query) {
    Throwable cause = catchThrowable(query::collectAsList);
    while (cause != null && !(cause instanceof ArithmeticException)) {
      cause = cause.getCause();
    }
    return cause instanceof SparkThrowable spark ? spark.getCondition() : String.valueOf(cause);
  }

  @Test
  void failsAsSparkDoesWhereAPrefixOverflowsInAnsiMode() {
    Dataset<Row> table = table(Long.MAX_VALUE, 1L, -5L);
    assertThat(condition(ours(table, 2, 0)))
        .isEqualTo("ARITHMETIC_OVERFLOW")
        .isEqualTo(condition(sparks(table, 2, 0)));
  }

  @Test
  void namesTheColumnAndTheRowThatOverflow() {
    String path = folder.resolve("named").toString();
    table(1L, 1L << 62, 1L << 62).coalesce(1).write().parquet(path);
    Dataset<Row> rows = spark.read().parquet(path);

    assertThatThrownBy(ours(rows, 1, 0)::collectAsList)
        .hasStackTraceContaining("long overflow of s in the row t = 2, v = 4611686018427387904");
    assertThatThrownBy(
            Stencils.over(rows).orderBy("t").ordered().sum("v", 1, 0, "s").toDataset()
                ::collectAsList)
        .hasStackTraceContaining("long overflow of s in the row t = 2, v = 4611686018427387904");
  }

  @Test
  void namesTheRowOfAShortSeriesAmongOthers() {
    String path = folder.resolve("short").toString();
    spark
        .sql(
            "select id div 3 as k, id as t, if(id >= 50 and id < 53, 1L << 62, if(id % 7 = 0, null,"
                + " id)) as v from range(0, 120, 1, 1)")
        .write()
        .parquet(path);
    Dataset<Row> rows = spark.read().parquet(path);
    Dataset<Row> sums =
        Stencils.over(rows).partitionBy("k").orderBy("t").sum("v", 1, 0, "s").toDataset();
    assertThatThrownBy(sums::collectAsList)
        .hasStackTraceContaining(
            "long overflow of s in the row k = 17, t = 52, v = 46116860184273");
    rows.createOrReplaceTempView("short");
    Dataset<Row> sparks =
        spark.sql(
            "select *, try_sum(v) over (partition by k order by t rows 1 preceding) as s from"
                + " short");
    assertThat(RowBits.sorted(sums.where("t != 52").select("t", "s")))
        .hasSize(119)
        .isEqualTo(RowBits.sorted(sparks.where("t != 52").select("t", "s")));
  }

  @Test
  void wrapsWithoutAnsiMode() {
    spark.conf().set("spark.sql.ansi.enabled", "false");
    try {
      Dataset<Row> table = table(Long.MAX_VALUE, 1L, -5L);
      assertThat(ours(table, 2, 0).orderBy("t").collectAsList())
          .isEqualTo(sparks(table, 2, 0).orderBy("t").collectAsList());
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
    }
  }

  @Test
  void failsExactlyWhereSparkFailsHoweverTheRowsAreSpread() {
    Random random = new Random(11);
    int failed = 0;
    for (int round = 0; round < 12; round++) {
      Long[] values = new Long[40];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            random.nextInt(6) == 0 ? null : Long.valueOf(random.nextLong() / (2 + round % 3));
      }
      Dataset<Row> table = table(values).repartition(1 + round % 4);
      int before = 2 + random.nextInt(2);
      int after = random.nextInt(3);
      String expected = condition(sparks(table, before, after));
      assertThat(condition(ours(table, before, after))).as("round %d", round).isEqualTo(expected);
      failed += expected.equals("null") ? 0 : 1;
    }
    assertThat(failed).isBetween(2, 10);
  }

  @Test
  void checksColumnsOfAnOrderedInputToo() {
    String good = folder.resolve("good").toString();
    String bad = folder.resolve("bad").toString();
    // 3 * 2^61 does not fit, but is never in one frame.
    table(1L << 61, 1L << 61, -(1L << 61), 1L << 61, null, 1L << 61)
        .coalesce(1)
        .write()
        .parquet(good);
    table(1L, 1L << 62, 1L << 62, -(1L << 62)).coalesce(1).write().parquet(bad);
    assertThat(
            Stencils.over(spark.read().parquet(good))
                .orderBy("t")
                .ordered()
                .sum("v", 2, 0, "s")
                .toDataset()
                .select("s")
                .collectAsList())
        .extracting(row -> row.getLong(0))
        .containsExactly(1L << 61, 1L << 62, 1L << 61, 1L << 61, 0L, 1L << 62);
    assertThat(
            condition(
                Stencils.over(spark.read().parquet(bad))
                    .orderBy("t")
                    .ordered()
                    .sum("v", 2, 0, "s")
                    .toDataset()))
        .isEqualTo("ARITHMETIC_OVERFLOW");
  }

  @Test
  void raisesTheErrorOnlyWhereItsRowIsReached() {
    String path = folder.resolve("late").toString();
    table(1L, 2L, 1L << 62, 1L << 62).coalesce(1).write().parquet(path);
    Dataset<Row> rows = spark.read().parquet(path);
    Dataset<Row> columns =
        Stencils.over(rows).orderBy("t").ordered().sum("v", 2, 0, "s").toDataset();
    Dataset<Row> collected = ours(rows, 2, 0);
    for (Dataset<Row> sums : List.of(columns, collected)) {
      assertThat(sums.select("s").limit(3).collectAsList())
          .extracting(row -> row.getLong(0))
          .containsExactly(1L, 3L, 3L + (1L << 62));
      assertThat(condition(sums)).isEqualTo("ARITHMETIC_OVERFLOW");
    }
  }
}
