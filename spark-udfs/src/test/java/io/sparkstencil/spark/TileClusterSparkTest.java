/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An elevation model with missing cells as tiles over three executor processes: the bits of the
 * functions over the model in one piece.
 */
@Timeout(240)
final class TileClusterSparkTest {
  private static final int ROWS = 24;
  private static final int COLUMNS = 30;

  /** Functions of {@code TerrainModelTest}, which holds them to those of GDAL and SciPy. */
  private static final List<String> CALLS =
      List.of(
          "stencil2d_slope(z, 92.66D, 74.4D, 'nearest')",
          "stencil2d_aspect(z, 92.66D, 74.4D, 'mirror')",
          "stencil2d_hillshade(z, 92.66D, 74.4D, 'wrap')",
          "stencil_expr(z, 'focal_mean(u, 2)', 1, 'constant:NaN')",
          "stencil2d_median(z, 2, 'reflect')");

  @Test
  void threeExecutorsGiveTheBitsOfTheModelInOnePiece() throws Exception {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    try (SparkSession session =
        Sessions.builder("local-cluster[3,1,512]")
            .config("spark.executor.memory", "512m")
            .config("spark.executor.extraJavaOptions", Sessions.SHORT_RUN)
            .config("spark.scheduler.minRegisteredResourcesRatio", "1")
            .config(
                "spark.executor.extraClassPath",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")))
            .getOrCreate()) {
      Set<String> executors = ConcurrentHashMap.newKeySet();
      session
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd end) {
                  executors.add(end.taskInfo().executorId());
                }
              });
      session.sql("select 1 as one, %s as z".formatted(model())).createOrReplaceTempView("model");

      List<String> whole = RowBits.sorted(tiles(session.table("model").selectExpr(results())));
      TileQuery query = Stencils.tiles(tiles(session.table("model")).repartition(9)).at("r", "c");
      for (int i = 0; i < CALLS.size(); i++) {
        query = query.apply(CALLS.get(i), "made" + i);
      }
      List<String> tiled = RowBits.sorted(query.toDataset());

      assertThat(tiled).hasSize(20).isEqualTo(whole);
      session.sparkContext().listenerBus().waitUntilEmpty(30_000);
      assertThat(executors).hasSize(3);
    }
  }

  private static String[] results() {
    List<String> columns = new ArrayList<>(List.of("z"));
    for (int i = 0; i < CALLS.size(); i++) {
      columns.add("%s as made%d".formatted(CALLS.get(i), i));
    }
    return columns.toArray(String[]::new);
  }

  /** Cuts all columns into tiles of 7 x 7 cells, of which the last ones are smaller. */
  private static Dataset<Row> tiles(Dataset<Row> model) {
    List<String> cut = new ArrayList<>(List.of("r", "c"));
    for (String column : model.columns()) {
      if (!column.equals("one")) {
        cut.add(
            "transform(slice(%1$s, r * 7 + 1, 7), line -> slice(line, c * 7 + 1, 7)) as %1$s"
                .formatted(column));
      }
    }
    return model
        .selectExpr("*", "explode(sequence(0, %d)) as r".formatted((ROWS - 1) / 7))
        .selectExpr("*", "explode(sequence(0, %d)) as c".formatted((COLUMNS - 1) / 7))
        .selectExpr(cut.toArray(String[]::new));
  }

  /** Returns the heights as an array of arrays in SQL, with null for those that are missing. */
  private static String model() throws Exception {
    Path file =
        Path.of(
            System.getProperty("stencil.home"),
            "core/src/test/resources/io/sparkstencil/program/generate/terrain.txt");
    List<String> words =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith("heights "))
            .map(line -> List.of(line.split(" ")))
            .findFirst()
            .orElseThrow();
    assertThat(words).hasSize(3 + ROWS * COLUMNS).contains("NaN");
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      int from = 3 + row * COLUMNS;
      rows.add("array(" + String.join(", ", words.subList(from, from + COLUMNS)) + ")");
    }
    return "array(%s)".formatted(String.join(", ", rows).replace("NaN", "null").replace(".0", "D"));
  }
}
