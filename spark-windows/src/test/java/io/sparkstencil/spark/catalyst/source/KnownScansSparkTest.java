/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans that need more columns than those that are looked at. */
@WithSpark
final class KnownScansSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) throws IOException {
    spark = session;
    String placed = folder.resolve("placed").toString();
    spark
        .sql("select id * 7919 % 4001 as t, sin(id) as v, id as place from range(0, 400, 1, 3)")
        .write()
        .parquet(placed);
    spark
        .read()
        .format(PlacedRowsFormat.class.getName())
        .load(placed)
        .createOrReplaceTempView("placed");

    StringBuilder json = new StringBuilder();
    StringBuilder csv = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      json.append(
          i % 7 == 3 ? "{\"t\": %d, \"v\n".formatted(i) : "{\"t\": %d, \"v\": 1.5}\n".formatted(i));
      csv.append(i % 7 == 3 ? "%d,what\n".formatted(i) : "%d,1.5\n".formatted(i));
    }
    String lines = folder.resolve("lines.json").toString();
    Files.writeString(Path.of(lines), json);
    spark
        .read()
        .schema("t bigint, v double, _corrupt_record string")
        .json(lines)
        .createOrReplaceTempView("lines");
    String cells = folder.resolve("cells.csv").toString();
    Files.writeString(Path.of(cells), csv);
    spark
        .read()
        .schema("t bigint, v double, Bad string")
        .option("COLUMNNAMEOFCORRUPTRECORD", "bad")
        .csv(cells)
        .createOrReplaceTempView("cells");
    Path dropped = Files.createDirectory(folder.resolve("dropped"));
    for (int file = 0; file < 3; file++) {
      StringBuilder some = new StringBuilder();
      for (int i = 100 * file; i < 100 * file + 100; i++) {
        some.append(i % 7 == 3 ? "%d,1,what\n".formatted(i) : "%d,1,2\n".formatted(i));
      }
      Files.writeString(dropped.resolve("part-%d.csv".formatted(file)), some);
    }
    spark
        .read()
        .schema("t bigint, v bigint, w bigint")
        .option("Mode", "DropMalformed")
        .csv(dropped.toString())
        .createOrReplaceTempView("dropped");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select *, avg(v) over (order by t, v rows 3 preceding) from placed",
        "select *, rank() over (order by t desc), sum(v) over (order by t desc) from placed",
        "select *, count(*) over (order by t range 5 preceding) from placed where v > -0.5",
        "select *, avg(v) over (order by _corrupt_record, t rows 3 preceding) from lines",
        "select *, rank() over (order by _corrupt_record) from lines",
        "select *, rank() over (order by bad) from cells",
        "select *, max(t) over (order by bad, t rows 3 preceding) from cells",
        "select *, row_number() over (order by t) from dropped",
        "select *, sum(v) over (order by t), avg(w) over (order by t rows 3 preceding) from dropped",
      })
  void haveTheirColumns(String sql) {
    WindowPlans.sameWithoutSpark(spark, sql);
  }
}
