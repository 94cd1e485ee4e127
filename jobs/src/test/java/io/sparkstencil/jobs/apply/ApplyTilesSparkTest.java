/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code apply} over tables whose rows are tiles of rasters. */
final class ApplyTilesSparkTest {
  /** Rows and columns of a tile; the last ones along each axis are smaller. */
  private static final int TILE = 4;

  private static final int ROWS = 11;
  private static final int COLUMNS = 14;

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  /** Returns two rasters, each a row; some of their cells are missing. */
  private static Dataset<Row> rasters() {
    return SPARK
        .session()
        .sql(
            "select day, transform(sequence(0, %d), y -> transform(sequence(0, %d), x -> if((x * 7 + y * 5) %% 23 = day, null, 100 * sin(y * 0.7 + day) * cos(x * 0.9)))) as z from values (1), (2) as t(day)"
                .formatted(ROWS - 1, COLUMNS - 1));
  }

  private static String cut(String array) {
    return "transform(slice(%s, r * %2$d + 1, %2$d), line -> slice(line, c * %2$d + 1, %2$d))"
        .formatted(array, TILE);
  }

  /** Cuts rasters into tiles. */
  private static Dataset<Row> tiles(Dataset<Row> rasters, String column) {
    return rasters
        .selectExpr("*", "explode(sequence(0, %d)) as r".formatted((ROWS - 1) / TILE))
        .selectExpr("*", "explode(sequence(0, %d)) as c".formatted((COLUMNS - 1) / TILE))
        .selectExpr("day", "r", "c", cut(column) + " as " + column);
  }

  private static List<String> rows(Dataset<Row> table) {
    return table.sort("day", "r", "c").toJSON().collectAsList();
  }

  private CommandRun apply(String... more) {
    return CommandRun.of(
        Stream.concat(
                Stream.of(
                    "apply",
                    "--input=" + folder.resolve("tiles.parquet"),
                    "--output=" + folder.resolve("out.parquet")),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slope(z, 30, 20) | 1 | nearest | exact",
        "focal_median(u, 2) | 1 | constant:NaN | exact",
        "where(u == u, focal_mean(u, 1), u) | 3 | y.low=constant:1, y.high=mirror, x=wrap | fma",
        "a = u[0,1] - u[0,-1]; u' = a*a | 1 | | exact"
      })
  void tilesHoldTheBitsOfTheRasterInOnePiece(
      String text, int steps, String boundary, String accuracy) throws Exception {
    tiles(rasters(), "z")
        .repartition(5)
        .write()
        .parquet(folder.resolve("tiles.parquet").toString());
    String[] options = {
      "--tiles=r,c",
      "--partition-by=day",
      "--column=z",
      "--expression=" + text,
      "--steps=" + steps,
      "--accuracy=" + accuracy,
      "--engine=cpu",
      "--as=made",
      "--report=" + folder.resolve("report.json")
    };

    CommandRun run =
        apply(
            boundary == null
                ? options
                : Stream.concat(Stream.of(options), Stream.of("--boundary=" + boundary))
                    .toArray(String[]::new));

    assertThat(run.exitCode()).as(run.err()).isZero();
    Dataset<Row> made = SPARK.session().read().parquet(folder.resolve("out.parquet").toString());
    assertThat(made.columns()).containsExactly("day", "r", "c", "z", "made");
    Dataset<Row> whole =
        rasters()
            .selectExpr(
                "day",
                "stencil_expr(z, \"%s\", %d, '%s', '%s') as made"
                    .formatted(text, steps, boundary == null ? "reflect" : boundary, accuracy));
    assertThat(rows(made.select("day", "r", "c", "made")))
        .hasSize(24)
        .isEqualTo(rows(tiles(whole, "made")));
    assertThat(run.out()).contains("engine  cpu", "rows    24; partitions with stencils: ");
    JsonNode report = new ObjectMapper().readTree(folder.resolve("report.json").toFile());
    assertThat(report.get("engine").textValue()).isEqualTo("cpu");
    assertThat(report.get("cells").longValue()).isEqualTo(2 * ROWS * COLUMNS);
    assertThat(report.get("partitions").longValue()).isPositive();
  }

  @Test
  void tilesAndTheirNumbersMayLieInStructs() {
    tiles(rasters(), "z")
        .selectExpr("named_struct('day', day, 'r', r, 'z', z) as p", "c")
        .write()
        .parquet(folder.resolve("tiles.parquet").toString());

    CommandRun run =
        apply(
            "--tiles=p.r,c",
            "--partition-by=p.day",
            "--column=p.z",
            "--expression=max(u, u[1,0])",
            "--as=made");

    assertThat(run.exitCode()).as(run.err()).isZero();
    Dataset<Row> made = SPARK.session().read().parquet(folder.resolve("out.parquet").toString());
    assertThat(made.columns()).containsExactly("p", "c", "made");
    Dataset<Row> whole = rasters().selectExpr("day", "stencil_expr(z, 'max(u, u[1,0])') as z");
    assertThat(rows(made.selectExpr("p.day", "p.r", "c", "made as z")))
        .isEqualTo(rows(tiles(whole, "z")));
  }

  @Test
  void textMayHaveQuotesAndColumnsAnyNames() {
    tiles(rasters().where("day = 1"), "z")
        .withColumnRenamed("z", "the heights")
        .withColumnRenamed("r", "it's")
        .write()
        .parquet(folder.resolve("tiles.parquet").toString());

    CommandRun run =
        apply(
            "--tiles=it's,c",
            "--column=the heights",
            "--op=expr",
            "--expression=h' = max(h, h[1,0])",
            "--engine=reference");

    assertThat(run.exitCode()).as(run.err()).isZero();
    Dataset<Row> whole =
        rasters().where("day = 1").selectExpr("day", "stencil_expr(z, \"max(u, u[1,0])\") as z");
    assertThat(
            rows(
                SPARK
                    .session()
                    .read()
                    .parquet(folder.resolve("out.parquet").toString())
                    .selectExpr("day", "`it's` as r", "c", "`the heights_expr` as z")))
        .isEqualTo(rows(tiles(whole, "z")));
  }

  @Test
  void saysThatTilesOfTwoRastersHaveTheSameNumbers() {
    tiles(rasters(), "z").write().parquet(folder.resolve("tiles.parquet").toString());

    CommandRun run = apply("--tiles=r,c", "--column=z", "--expression=u[0,1]");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.err()).contains("stencil: two tiles have the r ", "tells their rasters apart");
    assertThat(Files.exists(folder.resolve("out.parquet"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--tiles=r --column=z --expression=u | names 1 columns; name two",
        "--tiles=r,c,day --column=z --expression=u | names 3 columns; name two",
        "--tiles=r,c --column=z | --op expr needs --expression TEXT, such as 'focal_mean(u, 1)'",
        "--tiles=r,c --column=z --op=mean --radius=1 | --op mean goes along series, not over tiles",
        "--tiles=r,c --column=z --zscore | --op zscore goes along series, not over tiles",
        "--tiles=r,c --column=z --expression=u --radius=1 | does not take --radius",
        "--tiles=r,c --column=z --expression=u*k --parameter=k=2 | write the numbers into the expression",
        "--tiles=r,c --column=z --expression=u --order-by=day | --order-by is of no use with --tiles",
        "--tiles=r,c --column=z --expression=u --ordered | --ordered is of no use with --tiles",
        "--tiles=r,c --column=z --expression=u --plot=a.png | --plot is of no use with --tiles",
        "--tiles=r,c --column=z --expression=u --dedupe=first | --dedupe is of no use with --tiles",
        "--tiles=r,c --column=z --expression=u --boundary=bounce | bounce",
        "--tiles=r,c --column=z --expression=u[ | the text ends too early",
        "--tiles=r,c --column=z,z --expression=u | names a column twice",
        "--tiles=r,c --column=z --expression=u --as=a,b | --as has 2 names for 1 columns",
        "--tiles=r,x --column=z --expression=u | there is no column x; the table has day, r, c, z, s",
        "--tiles=r,c --column=day --expression=u | column day is int, and tiles are arrays of arrays",
        "--tiles=r,c --column=z --expression=x*u | the program reads positions along",
        "--tiles=r,z --column=z --expression=u | the numbers of tiles are integers",
        "--tiles=r,c --column=z --expression=u --output-format=csv | csv",
        "--tiles=r,c --column=z --expression=u --steps=0 | stencil: 0 steps; use at least 1",
        "--tiles=r,c --column=z --expression=u[1,0] --steps=5000 | more than 4096",
        "--tiles=r,c --column=z --expression=u --as=z | two columns have the name",
        "--tiles=r,c --column=z --expression=u --accuracy=quick | quick",
        "--tiles=r,c --column=z --expression=u --engine=tpu | tpu",
        "--tiles=r,c --column=z --expression=u+v | the expression reads no field",
        "--tiles=r,c --column=z --expression=u'=u[0,0]+v[0,0] | reads 2 of the fields",
        "--tiles=r,c --column=z --expression=u[0,0]*k | parameter k",
        "--tiles=r,c --column=s --expression=u | column s is array<array<string>>",
        "--tiles=r,c --column=z --expression=u --fill=linear | --fill is of no use with --tiles",
        "--tiles=r,r --column=z --expression=u | --tiles names r twice",
        "--tiles= --column=z --expression=u | names 1 columns",
        "--tiles=r,c --column=y.z --expression=u | there is no column y.z",
        "--column=z --op=mean --radius=1 | needs --order-by COL"
      })
  void refusesWhatTilesCannotHave(String options, String message) {
    tiles(rasters(), "z")
        .selectExpr("*", "cast(z as array<array<string>>) as s")
        .write()
        .parquet(folder.resolve("tiles.parquet").toString());

    CommandRun run = apply(options.split(" "));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
    assertThat(Files.exists(folder.resolve("out.parquet"))).isFalse();
  }
}
