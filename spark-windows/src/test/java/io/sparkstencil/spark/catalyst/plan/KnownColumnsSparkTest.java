/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cached tables that Spark has sorted go through the operator in columns. */
@WithSpark
final class KnownColumnsSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String BATCH_ROWS = "spark.sql.inMemoryColumnarStorage.batchSize";

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set(BATCH_ROWS, "7");
    spark
        .range(0, 1200)
        .selectExpr(
            "id",
            "if(id = 700, null, pmod(id * 7919, 1301) - 600) as n",
            "if(id % 11 = 0, null, if(id % 17 = 0, double('NaN'), sin(id))) as d",
            "if(id % 5 = 0, null, cast(cos(id) as float)) as f",
            "cast(id * 31 % 128 as byte) as b",
            "if(id % 3 = 0, null, cast(id * 27 as short)) as s",
            "cast(id * 7 as int) as i",
            "id << 40 as l",
            "date_add(date'1999-12-31', cast(id * 13 % 99 as int)) as day",
            "if(id % 7 = 0, null, timestamp_micros(id * 77777)) as at",
            "id % 4 = 1 as flag",
            "cast(id as string) as text")
        .repartition(3)
        .createOrReplaceTempView("cells");
  }

  @AfterEach
  void reset() {
    spark.catalog().uncacheTable("kept");
    spark.catalog().dropTempView("kept");
  }

  /** Caches and fills a table. */
  private static void keep(String sql) {
    Dataset<Row> table = spark.sql(sql).cache();
    table.createOrReplaceTempView("kept");
    table.count();
  }

  private static StencilExec stencil(Dataset<Row> query) {
    List<StencilExec> found = WindowPlans.stencils(WindowPlans.plan(query));
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static boolean shuffled(Dataset<Row> query) {
    return stencil(query).metrics().apply("shuffledBytes").value() > 0;
  }

  @ParameterizedTest
  @CsvSource({
    "n, true, true",
    "n, false, true",
    "cast(n as int), true, true",
    "cast(n as short), false, true",
    "timestamp_micros(n), true, false",
    "date_from_unix_date(cast(n as int)), false, false"
  })
  void columnsOfAllTypesHaveSparksBits(String key, boolean adaptive, boolean columnar) {
    spark.conf().set(ADAPTIVE, adaptive);
    String more = columnar ? "" : ", day, at"; // Spark keeps these as rows
    keep(
        "select id, KEY as t, d, f, b, s, i, l, flag MORE from cells order by t"
            .replace("KEY", key)
            .replace("MORE", more));
    String sql =
        """
        select *, avg(d) over W, sum(i) over W, count(*) over W, count(f) over W, max(f) over W,
          min(b) over W, max(s) over W, sum(s) over W, max(l) over W, avg(f) over W,
          min(l) over (order by t rows between 300 preceding and 250 preceding),
          sum(d) over (order by t rows between 3 following and 5 following),
          lag(i, 2) over (order by t), lead(d, 1) over (order by t)
        from kept
        """
            .replace("W", "(order by t rows between 2 preceding and 3 following)");
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(stencil(ours).supportsColumnar()).isEqualTo(columnar);
    assertThat(shuffled(ours)).isFalse();
  }

  /**
   * Rows that tie lie in one batch or in many, before and behind the edges of partitions; the cells
   * beside a partition must be those that its neighbours return first and last.
   */
  @ParameterizedTest
  @CsvSource({
    "id % 5, 7, true, -9, 3",
    "id % 5, 1000, true, 2, 40",
    "id div 2, 7, true, -1, 0",
    "id div 2, 7, false, -9, 3",
    "id div 40, 7, false, 2, 40",
    "'if(id < 30, null, id div 10)', 7, true, -9, 3",
    "id div 100000, 7, true, -1, 0",
    "id div 100000, 10000, false, -9, 3"
  })
  void tiesAreInOneOrderForAll(String key, int batchRows, boolean adaptive, int from, int to) {
    spark.conf().set(ADAPTIVE, adaptive);
    spark.conf().set(BATCH_ROWS, String.valueOf(batchRows));
    keep("select KEY as t, i, f from cells order by t".replace("KEY", key));
    spark.conf().set(BATCH_ROWS, "7");
    int[] frame = {from, to};
    Dataset<Row> query = window(frame);
    assertConsistent(query.collectAsList(), frame);
    assertThat(stencil(query).supportsColumnar()).isTrue();
    assertThat(shuffled(query)).isFalse();
  }

  /** Rows as such, in an order that is not of one integral column. */
  @ParameterizedTest
  @ValueSource(strings = {"cast(id % 7 as string)", "cast(id div 20 as double)"})
  void tiesOfRowsAreInOneOrderForAll(String key) {
    keep("select KEY as t, i, text from cells order by t".replace("KEY", key));
    for (int[] frame : List.of(new int[] {-1, 0}, new int[] {-9, 3}, new int[] {2, 40})) {
      Dataset<Row> query = window(frame);
      assertConsistent(query.collectAsList(), frame);
      assertThat(stencil(query).supportsColumnar()).isFalse();
      assertThat(shuffled(query)).isFalse();
    }
  }

  private static Dataset<Row> window(int[] frame) {
    spark.conf().set(ENABLED, "true");
    return spark.sql(
        "select i, sum(i) over (order by t rows between %s and %s) as s, t from kept"
            .formatted(bound(frame[0]), bound(frame[1])));
  }

  private static String bound(int offset) {
    return offset < 0 ? -offset + " preceding" : offset + " following";
  }

  /** Checks that sums are those of the rows around them, as the rows were returned. */
  private static void assertConsistent(List<Row> rows, int[] frame) {
    Set<Integer> cells = new HashSet<>();
    for (int at = 0; at < rows.size(); at++) {
      Long sum = null;
      for (int from = Math.max(0, at + frame[0]);
          from <= Math.min(rows.size() - 1, at + frame[1]);
          from++) {
        sum = (sum == null ? 0 : sum) + rows.get(from).getInt(0);
      }
      assertThat(rows.get(at).get(1)).as("row %d", at).isEqualTo(sum);
      cells.add(rows.get(at).getInt(0));
    }
    assertThat(rows).hasSize(1200);
    assertThat(cells).hasSize(1200);
  }

  /** A partition of many rows, ties among them, of which the edges' job decodes two batches. */
  @Test
  void longPartitionsHaveTheirEdges() {
    spark.conf().set(BATCH_ROWS, "1000");
    spark
        .range(0, 60_000, 1, 4)
        .selectExpr("id div 3 as t", "cast(id as int) as i", "id as l")
        .orderBy("t")
        .cache()
        .createOrReplaceTempView("kept");
    spark.conf().set(BATCH_ROWS, "7");
    spark.conf().set(ENABLED, "true");
    Dataset<Row> query =
        spark.sql(
            "select i, lag(i, 8) over (order by t) as before, lead(i, 8) over (order by t) from"
                + " kept");
    spark.table("kept").count();
    List<Row> rows = query.collectAsList();
    assertThat(rows).hasSize(60_000);
    for (int at = 0; at < rows.size(); at++) {
      Integer before = at < 8 ? null : rows.get(at - 8).getInt(0);
      Integer after = at + 8 >= rows.size() ? null : rows.get(at + 8).getInt(0);
      assertThat(rows.get(at).get(1)).isEqualTo(before);
      assertThat(rows.get(at).get(2)).isEqualTo(after);
    }
    assertThat(shuffled(query)).isFalse();
  }

  /** A parent that was planned when more was known asks for columns all the same. */
  @Test
  void columnsOfRowsThatAreShuffled() {
    spark.conf().set(ADAPTIVE, "false");
    keep("select id, n as t, d, f, s, flag from cells");
    String sql = "select *, sum(d) over (order by t rows 2 preceding) as a from kept";
    spark.conf().set(ENABLED, "false");
    List<String> expected = RowBits.sorted(spark.sql(sql));
    spark.conf().set(ENABLED, "true");
    StencilExec stencil = stencil(spark.sql(sql));
    assertThat(stencil.supportsColumnar()).isTrue();
    List<Long> rows =
        stencil.executeColumnar().toJavaRDD().map(batch -> (long) batch.numRows()).collect();
    assertThat(rows.stream().mapToLong(each -> each).sum()).isEqualTo(expected.size());
  }
}
