/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results have the bits of Spark's own windows, however the rows are spread. */
@WithSpark
final class WindowEqualitySparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.interpret(spark);
  }

  private static final StructType SCHEMA =
      new StructType()
          .add("t", DataTypes.LongType)
          .add("g", DataTypes.StringType)
          .add("d", DataTypes.DoubleType)
          .add("f", DataTypes.FloatType)
          .add("l", DataTypes.LongType)
          .add("i", DataTypes.IntegerType)
          .add("s", DataTypes.ShortType)
          .add("b", DataTypes.ByteType)
          .add("text", DataTypes.StringType)
          .add("list", DataTypes.createArrayType(DataTypes.IntegerType));

  /** Returns rows in random order with nulls, NaN, infinities, both zeros and wide columns. */
  static Dataset<Row> table(SparkSession session, int rows, int partitions) {
    Random random = new Random(rows);
    List<Row> made = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      order.add(i);
    }
    java.util.Collections.shuffle(order, random);
    for (int i : order) {
      Double d =
          switch (random.nextInt(20)) {
            case 0 -> null;
            case 1 -> Double.NaN;
            case 2 -> -0.0;
            case 3 -> 0.0;
            case 4 -> Double.POSITIVE_INFINITY;
            case 5 -> 1e300;
            case 6 -> -1e300;
            default -> random.nextGaussian() * Math.pow(10, random.nextInt(12));
          };
      boolean there = random.nextInt(8) > 0;
      made.add(
          RowFactory.create(
              (long) i * 3 - 100,
              i % 7 == 0 ? null : "g" + i % 5,
              d,
              d == null ? null : (Object) (float) (double) d,
              there ? random.nextLong() >> 8 : null,
              there ? random.nextInt() : null,
              there ? (short) random.nextInt() : null,
              there ? (byte) random.nextInt() : null,
              "row " + "x".repeat(random.nextInt(60)),
              there ? List.of(i, i + 1) : null));
    }
    return session.createDataFrame(made, SCHEMA).repartition(partitions);
  }

  private static Dataset<Row> ours(Dataset<Row> table, int before, int after, String... keys) {
    Frame frame = Frame.offsets(-before, after);
    return Stencils.over(table)
        .orderBy("t")
        .partitionBy(keys)
        .apply("d", Stencil.mean(frame), "d_mean")
        .apply("d", Stencil.sum(frame), "d_sum")
        .apply("d", Stencil.min(frame), "d_min")
        .apply("d", Stencil.max(frame), "d_max")
        .apply("d", Stencil.count(frame), "d_count")
        .apply("f", Stencil.mean(frame), "f_mean")
        .apply("f", Stencil.min(frame), "f_min")
        .apply("f", Stencil.sum(Frame.offsets(-before - 1, after)), "f_sum")
        .apply("l", Stencil.sum(frame), "l_sum")
        .apply("l", Stencil.mean(frame), "l_mean")
        .apply("l", Stencil.max(frame), "l_max")
        .apply("i", Stencil.sum(frame), "i_sum")
        .apply("i", Stencil.mean(frame), "i_mean")
        .apply("s", Stencil.max(frame), "s_max")
        .apply("s", Stencil.sum(frame), "s_sum")
        .apply("b", Stencil.min(frame), "b_min")
        .apply("b", Stencil.count(frame), "b_count")
        .toDataset();
  }

  private static String sql(int before, int after, String... keys) {
    String by = keys.length == 0 ? "" : "partition by " + String.join(", ", keys);
    String frame =
        "over (%s order by t rows between %s and %s)".formatted(by, bound(-before), bound(after));
    String wider =
        "over (%s order by t rows between %s and %s)"
            .formatted(by, bound(-before - 1), bound(after));
    return """
        select *, avg(d) W, sum(d) W, min(d) W, max(d) W, count(d) W, avg(f) W, min(f) W,
          sum(f) V, sum(l) W, avg(l) W, max(l) W, sum(i) W, avg(i) W, max(s) W, sum(s) W,
          min(b) W, count(b) W
        from cells
        """
        .replace("W", frame)
        .replace("V", wider);
  }

  /** Checks rows of a table of so many, in the order of {@code t}. */
  private static void areSparks(int size, Dataset<Row> table, List<String> rows, String sql) {
    assertThat(rows).hasSize(size);
    areSparks("%d rows: %s".formatted(size, sql), table, rows, () -> RowBits.of(ordered(sql)));
  }

  private static void areSparks(
      String query, Dataset<Row> table, List<String> rows, Supplier<List<String>> asked) {
    WindowPlans.areSparks(
        spark,
        query,
        rows,
        () -> {
          table.createOrReplaceTempView("cells");
          return asked.get();
        });
  }

  private static Dataset<Row> ordered(String sql) {
    return spark.sql(sql).orderBy("t");
  }

  private static String bound(int offset) {
    return offset < 0 ? -offset + " preceding" : offset + " following";
  }

  @ParameterizedTest
  @CsvSource({
    "997, 1, 1, true", "997, 2, 3, true", "997, 7, 50, true", "997, 200, 3, false",
    "997, 7, 2000, false", "997, 200, 50, true", "5, 7, 1, false", "5, 200, 2000, true",
    "1, 7, 3, false", "0, 2, 3, true", "0, 1, 3, false"
  })
  void oneSeriesOverAnyNumberOfPartitions(int rows, int partitions, int k, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    Dataset<Row> table = table(spark, rows, Math.min(partitions, 8));
    areSparks(rows, table, RowBits.of(ours(table, k, k)), sql(k, k));
  }

  @ParameterizedTest
  @CsvSource({"4, 0", "0, 4", "6, -2", "-3, 5", "0, 0"})
  void framesThatAreNotSymmetric(int before, int after) {
    spark.conf().set("spark.sql.adaptive.enabled", false);
    spark.conf().set("spark.sql.shuffle.partitions", 40);
    Dataset<Row> table = table(spark, 113, 3);
    areSparks(113, table, RowBits.of(ours(table, before, after)), sql(before, after));
  }

  @ParameterizedTest
  @CsvSource({"1, 7, true", "50, 2, false", "2000, 4, true"})
  void oneSeriesPerKey(int k, int partitions, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    Dataset<Row> table = table(spark, 1500, 3);
    List<String> rows = RowBits.sorted(ours(table, k, k, "g"));
    assertThat(rows).hasSize(1500);
    String sql = sql(k, k, "g");
    areSparks("1500 rows: " + sql, table, rows, () -> RowBits.sorted(spark.sql(sql)));
  }

  @Test
  void manySmallSeriesShareChunks() {
    spark.conf().set("spark.sql.adaptive.enabled", true);
    spark.conf().set("spark.sql.shuffle.partitions", 2);
    String cells =
        "select id as t, cast(id % 30011 as string) as g, sin(id) as d from range(0, 120000)";
    Dataset<Row> table = spark.sql(cells);
    Dataset<Row> mine =
        Stencils.over(table).orderBy("t").partitionBy("g").mean("d", 2, "m").toDataset();
    String sql =
        "select *, avg(d) over (partition by g order by t rows between 2 preceding and 2 following)"
            + " from cells";
    List<String> rows = RowBits.sorted(mine);
    areSparks(sql + " of " + cells, table, rows, () -> RowBits.sorted(spark.sql(sql)));
  }

  @Test
  void longSeriesAreCutIntoChunks() {
    spark.conf().set("spark.sql.adaptive.enabled", false);
    spark.conf().set("spark.sql.shuffle.partitions", 3);
    String cells =
        "select pmod(id * 7919, 200003) as t, if(id % 11 = 0, null, cos(id)) as d from range(0,"
            + " 200003)";
    Dataset<Row> table = spark.sql(cells);
    Dataset<Row> mine = Stencils.over(table).orderBy("t").mean("d", 20, "m").toDataset();
    String sql =
        "select *, avg(d) over (order by t rows between 20 preceding and 20 following) from cells";
    areSparks(sql + " of " + cells, table, RowBits.of(mine), () -> RowBits.of(ordered(sql)));
  }

  @Test
  void equalKeysAreOrderedAlikeInHalosAndRows() {
    spark.conf().set("spark.sql.adaptive.enabled", false);
    spark.conf().set("spark.sql.shuffle.partitions", 5);
    // Of 20,000 rows, keys repeat ten times or, for one key, six thousand times.
    Dataset<Row> table =
        spark
            .sql("select if(id < 6000, 77, id div 10) as t, hash(id) as d from range(0, 20000)")
            .repartition(6);
    List<Row> rows = Stencils.over(table).orderBy("t").sum("d", 3, "s").toDataset().collectAsList();
    long[] cells = rows.stream().mapToLong(row -> row.getInt(1)).toArray();
    for (int i = 0; i < cells.length; i++) {
      long sum = 0;
      for (int j = Math.max(0, i - 3); j <= Math.min(cells.length - 1, i + 3); j++) {
        sum += cells[j];
      }
      assertThat(rows.get(i).getLong(2)).isEqualTo(sum);
    }
  }

  @Test
  void keysOfOtherTypesAndSeveralColumns() {
    spark.conf().set("spark.sql.adaptive.enabled", true);
    spark.conf().set("spark.sql.shuffle.partitions", 4);
    Dataset<Row> table =
        spark.sql(
            "select cast(pmod(id * 37, 997) as double) / 3 as x, concat('k', pmod(id * 37, 10)) as"
                + " name, id as v from range(0, 997)");
    table.createOrReplaceTempView("keyed");
    assertThat(RowBits.of(Stencils.over(table).orderBy("x").mean("v", 4, "m").toDataset()))
        .isEqualTo(
            RowBits.of(
                spark
                    .sql(
                        "select *, avg(v) over (order by x rows between 4 preceding and 4"
                            + " following) from keyed")
                    .orderBy("x")));
    assertThat(RowBits.of(Stencils.over(table).orderBy("name", "x").mean("v", 4, "m").toDataset()))
        .isEqualTo(
            RowBits.of(
                spark
                    .sql(
                        "select *, avg(v) over (order by name, x rows between 4 preceding and 4"
                            + " following) from keyed")
                    .orderBy("name", "x")));
  }

  @Test
  void resultsCanBeFilteredJoinedAndLimited() {
    Dataset<Row> table = table(spark, 300, 3);
    Dataset<Row> result = Stencils.over(table).orderBy("t").mean("d", 2, "m").toDataset();
    assertThat(result.limit(7).collectAsList()).hasSize(7);
    assertThat(result.filter("m is not null").select("t").count()).isLessThanOrEqualTo(300);
    assertThat(result.as("a").join(result.select("t").as("b"), "t").count()).isEqualTo(300);
    assertThat(result.select("m").collectAsList()).hasSize(300);
  }
}
