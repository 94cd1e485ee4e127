/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that are so large that their first cells, and copies of them, are cut into pieces. */
@WithSpark
@Timeout(120)
final class GridPiecesSparkTest {
  private static final int SIZE = 400;
  private static final StencilProgram PROGRAM = ProgramText.parse("u' = u + k[0,1]");
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static double[] expected() {
    double[] cells = new double[SIZE * SIZE];
    for (int i = 0; i < cells.length; i++) {
      int right = i % SIZE == SIZE - 1 ? i : i + 1;
      cells[i] = i % 977 + right % SIZE;
    }
    return cells;
  }

  private static GridBuilder builder(int blocks) {
    return StencilGrids.builder(spark, PROGRAM)
        .extent(SIZE, SIZE)
        .blocks(blocks)
        .field("k", at -> at[1]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void rowsGoInAndComeOut(int blocks) {
    Dataset<Row> rows =
        spark.sql(
            "SELECT id div %1$d x, id %% %1$d y, double(id %% 977) u FROM range(%1$d * %1$d)"
                .formatted(SIZE));
    try (StencilGrid grid =
            builder(blocks).rows(rows, List.of("x", "y"), Map.of("u", "u")).create();
        StencilGrid later = grid.step(1)) {
      assertThat(later.read("u")).isEqualTo(expected());
      Dataset<Row> out = later.toDataset();
      assertThat(out.count()).isEqualTo(SIZE * SIZE);
      out.createOrReplaceTempView("cells_of_pieces");
      Row wrong =
          spark
              .sql(
                  "SELECT count(*) FROM cells_of_pieces WHERE k <> y OR u <> (x * %1$d + y) %% 977 + least(y + 1, %1$d - 1)"
                      .formatted(SIZE))
              .first();
      assertThat(wrong.getLong(0)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void boxesGoIn(int blocks) {
    List<FieldBox> boxes = new ArrayList<>();
    for (int x = 0; x < SIZE; x += 150) {
      int rows = Math.min(150, SIZE - x);
      Box box = Box.between(List.of((long) x, 0L), List.of((long) x + rows, (long) SIZE));
      int first = x * SIZE;
      double[] u = IntStream.range(0, rows * SIZE).mapToDouble(i -> (first + i) % 977).toArray();
      boxes.add(new FieldBox(box, Map.of("u", u)));
    }
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    try (StencilGrid grid =
        builder(blocks).boxes(context.parallelize(boxes, 2), List.of("u")).create()) {
      assertThat(grid.step(1).read("u")).isEqualTo(expected());
    }
    boxes.add(boxes.get(1));
    try (StencilGrid grid =
        builder(blocks).boxes(context.parallelize(boxes, 2), List.of("u")).create()) {
      assertThatThrownBy(() -> grid.read("u")).hasStackTraceContaining("boxes that do not overlap");
    }
  }

  @Test
  void functionsAreAskedOnceForEachCell() {
    try (StencilGrid grid =
        builder(2).type(ElementType.F64).field("u", at -> (at[0] * SIZE + at[1]) % 977).create()) {
      assertThat(grid.step(1).read("u")).isEqualTo(expected());
    }
  }
}
