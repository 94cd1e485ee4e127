/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import io.sparkstencil.spark.csv.CsvTable;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FirstCells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.reflect.ClassTag;

/**
 * Windows and grids of sessions that serialize with Kryo, which many do, and where classes have to
 * be registered: ours are not, so none of them may meet Kryo.
 */
final class KryoSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Sessions.stopOpen(); // its serializer is settled
    spark = Sessions.builder("local[2]").config(Sessions.KRYO).getOrCreate();
    String rows =
        "select id, id * 7919 % 1009 as t, cast(id as string) as x, sin(id) as d from"
            + " range(1000)";
    spark.sql(rows).createOrReplaceTempView("rows");
    spark.sql(rows + " order by t").cache().createOrReplaceTempView("kept");
    spark.table("kept").repartitionByRange(66, col("t")).write().parquet(files());
  }

  private static String files() {
    return folder.resolve("files").toString();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Each operator over rows that it shuffles, and over some whose order is known. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "avg(d) over (order by t rows 3 preceding) | (select * from kept)",
        "avg(d) over (order by x rows 3 preceding) | (select * from rows order by x)",
        "row_number() over (order by t) | FILES",
        "dense_rank() over (order by x), sum(d) over (order by x) | (select * from rows order by t)",
        "stddev(d) over (order by t rows 3 preceding), max(x) over (order by t range 30 preceding)"
            + " | FILES"
      })
  void windowsWithoutKeys(String window, String ordered) {
    for (String input : List.of("rows", ordered.replace("FILES", "parquet.`" + files() + "`"))) {
      WindowPlans.sameAsSpark(spark, "select id, " + window + " from " + input);
    }
  }

  /** The same with keys, among them one of which all rows have the same. */
  @ParameterizedTest
  @ValueSource(strings = {"id % 7", "1", "t div 100", "x"})
  void windowsWithKeys(String keys) {
    for (String input : List.of("rows", "kept", "parquet.`" + files() + "`")) {
      WindowPlans.sameAsSpark(
          spark,
          """
          select id, avg(d) over (partition by KEYS order by t rows 3 preceding) as a,
            sum(t) over (partition by KEYS order by t, x) as s,
            max(x) over (partition by KEYS order by t range 30 preceding) as m
          from INPUT
          """
              .replace("KEYS", keys)
              .replace("INPUT", input));
    }
  }

  /** Series that stay with their files: the rows of each are kept on its executor. */
  @Test
  void seriesOfFilesInOrder() {
    String rows = "select id as t, id % 5 as k, sin(id) as d from range(0, 20000, 1, 8)";
    spark.sql(rows).write().parquet(folder.resolve("log").toString());
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            "select *, avg(d) over (partition by k order by t rows 8 preceding) as a from parquet.`%s`"
                .formatted(folder.resolve("log")));
    assertThat(WindowPlans.metric(ours, "stayedRows")).isPositive();
  }

  /** Tasks read on into partitions that follow theirs, of which they are told in a broadcast. */
  @Test
  void rowsInADeclaredOrder() {
    Dataset<Row> rows = spark.sql("select id as t, 2.0D * id as v from range(0, 1000, 1, 5)");
    List<Double> means =
        Stencils.over(rows)
            .orderBy("t")
            .ordered()
            .mean("v", 1, "m")
            .toDataset()
            .sort("t")
            .select("m")
            .as(Encoders.DOUBLE())
            .collectAsList();
    assertThat(means).hasSize(1000).startsWith(1.0, 2.0, 4.0).endsWith(1996.0, 1997.0);
  }

  @Test
  void blocksOfAnRdd() {
    List<double[]> blocks = List.of(new double[] {1, 2, 3}, new double[] {4}, new double[] {5, 6});
    JavaRDD<double[]> rdd = new JavaSparkContext(spark.sparkContext()).parallelize(blocks, 3);
    assertThat(
            Stencils.over(rdd, double[].class)
                .blocks(Stencil.mean(Frame.radius(1)))
                .collect()
                .stream()
                .flatMapToDouble(Arrays::stream))
        .containsExactly(1.5, 2.0, 3.0, 4.0, 5.0, 5.5);
  }

  @Test
  void boxesOfGrids() {
    JavaRDD<FieldBox> boxes =
        new JavaSparkContext(spark.sparkContext())
            .parallelize(List.of(0, 1, 2), 3)
            .map(
                i ->
                    new FieldBox(
                        new Box(List.of(2L * i), new Extent(List.of(2))),
                        Map.of("u", new double[] {2 * i, 2 * i + 1})));
    StencilProgram program = ProgramText.parse("u' = u[1]");
    try (StencilGrid grid =
        StencilGrids.builder(spark, program)
            .extent(6)
            .boxes(boxes, List.of("u"))
            .blocks(2)
            .create()) {
      assertThat((double[]) grid.read("u")).containsExactly(0, 1, 2, 3, 4, 5);
      assertThat(((double[]) grid.step(2).read("u"))[0]).isEqualTo(2);
    }
  }

  /** Many files, or large ones, are looked through by tasks. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tablesOfCsv(boolean breaks) throws IOException {
    Path tables = Files.createDirectory(folder.resolve("tables-" + breaks));
    for (int file = 0; file < 17; file++) {
      Files.writeString(tables.resolve(file + ".csv"), "t,v\n%d,2.5\n".formatted(file));
    }
    Map<String, String> options = Map.of("header", "true", "multiLine", String.valueOf(breaks));
    CsvTable table = CsvTables.at(spark, tables.toString(), options);
    assertThat(table.schema().apply("v").dataType()).isEqualTo(DataTypes.DoubleType);
    assertThat(table.rows()).isEqualTo(17);
  }

  @Test
  void grids() {
    StencilProgram program = ProgramText.parse("u' = 0.5*u[-1,0] + 0.5*u[0,1]");
    try (StencilGrid grid =
        StencilGrids.builder(spark, program)
            .extent(20, 30)
            .rows(
                spark.sql("select id div 30 as x, id % 30 as y, sin(id) as u from range(600)"),
                List.of("x", "y"),
                Map.of("u", "u"))
            .blocks(4)
            .create()) {
      double[] expected = (double[]) grid.step(5).read("u");
      List<Double> rows =
          grid.step(5).toDataset().sort("x", "y").select("u").as(Encoders.DOUBLE()).collectAsList();
      assertThat(rows.stream().mapToDouble(each -> each))
          .hasSize(600)
          .containsExactly(ArrayUtils.toObject(expected));
    }
  }

  /** Cells of blocks are written to disk when memory lacks. */
  @Test
  void cellsOfBlocks() {
    SerializerInstance kryo = SparkEnv.get().serializer().newInstance();
    ClassTag<SerializableWritable<Packed<FirstCells>>> tag = ClassTag.apply(Packed.type());
    Box box = Box.whole(Extent.of(2));
    FirstCells cells =
        new CellPiece(box, List.of(1, 3), List.of(new float[] {1, 2}, new float[] {3, 4}));
    FirstCells back = Packed.open(kryo.deserialize(kryo.serialize(Packed.of(cells), tag), tag));
    CellPiece piece = (CellPiece) back;
    assertThat(piece.box()).isEqualTo(box);
    assertThat(piece.fields()).containsExactly(1, 3);
    assertThat(piece.arrays().get(0)).isEqualTo(new float[] {1, 2});
  }
}
