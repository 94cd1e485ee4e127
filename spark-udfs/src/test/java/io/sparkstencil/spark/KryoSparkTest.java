/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.catalyst.windows.WindowPlans;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.reflect.ClassTag;

/** Windows of sessions that serialize with Kryo, which many do. */
final class KryoSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Sessions.stopOpen(); // its serializer is settled
    spark =
        Sessions.builder("local[2]")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .getOrCreate();
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
    ClassTag<BlockCells> tag = ClassTag.apply(BlockCells.class);
    BlockCells cells = new BlockCells(List.of(new float[] {1, 2}, new float[] {3}));
    BlockCells back = kryo.deserialize(kryo.serialize(cells, tag), tag);
    assertThat(back.fields()).hasSize(2);
    assertThat(back.fields().get(0)).isEqualTo(new float[] {1, 2});
  }
}
