/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import static org.apache.spark.sql.functions.collect_list;
import static org.apache.spark.sql.functions.expr;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.spark.Stencils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Times slopes over tiles in Parquet, into Spark's noop sink, against a function of users (UDF)
 * that gets each tile with the eight around it by a join of the table with itself. The results are
 * compared: ours with those of the raster in one piece, bit for bit, and theirs with ours.
 */
@Command(name = "tiles", description = "Slopes over tiles, against a UDF and a self join.")
public final class TileBenchmark extends BenchmarkCommand {
  private static final String OURS = "tiles";
  private static final String THEIRS = "UDF and self join";
  private static final String CALL = "stencil2d_slope(z, 30, 20, 'nearest')";

  @Option(names = "--tiles", defaultValue = "16", description = "Tiles along each axis.")
  private int tiles;

  @Option(names = "--cells", defaultValue = "256", description = "Cells of a tile along each axis.")
  private int cells;

  @Option(names = "--repeats", defaultValue = "5", description = "Turns, after one that warms up.")
  private int repeats;

  @Option(names = "--master", defaultValue = "local-cluster[3,1,2048]", description = "Spark's.")
  private String master;

  private SparkSession spark;

  @Override
  protected void measure() throws Exception {
    spark =
        LocalSpark.session("tile-benchmark", master)
            .config("spark.sql.shuffle.partitions", 12)
            .config("spark.sql.files.maxPartitionBytes", "16m")
            .getOrCreate();
    spark.udf().register("slope_of_nine", new SlopeOfNine(), tileType());
    Path folder = Files.createTempDirectory("tile-benchmark");
    try {
      String file = folder.resolve("tiles").toString();
      heights(tiles, cells).write().parquet(file);
      measure(spark.read().parquet(file));
    } finally {
      FileUtil.fullyDelete(folder.toFile());
      spark.stop();
    }
  }

  private static DataType tileType() {
    return DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType));
  }

  /** Returns tiles of waves, of which no part is like another. */
  private Dataset<Row> heights(int count, int side) {
    return spark
        .range(0, (long) count * count, 1, count)
        .selectExpr(
            "cast(id div %d as int) r".formatted(count), "cast(id %% %d as int) c".formatted(count))
        .selectExpr(
            "r",
            "c",
            "transform(sequence(r * %1$d, r * %1$d + %1$d - 1), y -> transform(sequence(c * %1$d, c * %1$d + %1$d - 1), x -> 500 * sin(y / 97D) * cos(x / 61D) + (y * 31 + x * 17) %% 23)) z"
                .formatted(side));
  }

  private void measure(Dataset<Row> table) {
    Map<String, Dataset<Row>> queries = Map.of(OURS, ours(table), THEIRS, theirs(table));
    Map<String, List<Double>> seconds =
        Turns.measure(
            List.of(OURS, THEIRS),
            1,
            any -> repeats,
            name -> LocalSpark.seconds(queries.get(name)));
    double difference =
        ours(table)
            .alias("a")
            .join(theirs(table).alias("b"), expr("a.r = b.r AND a.c = b.c"))
            .selectExpr(
                "array_max(transform(zip_with(flatten(a.slope), flatten(b.slope), (x, y) -> abs(x - y)), d -> if(isnan(d), 1e9, d))) d")
            .selectExpr("max(d)")
            .first()
            .getDouble(0);
    if (difference > 1e-9) {
      throw new IllegalStateException("both differ by " + difference);
    }
    double all = (double) tiles * tiles * cells * cells;
    List<Double> rates = seconds.get(OURS).stream().map(each -> all / each * 1e-6).toList();
    double ratio =
        Quantiles.median(
            IntStream.range(0, repeats)
                .mapToObj(turn -> seconds.get(THEIRS).get(turn) / seconds.get(OURS).get(turn))
                .toList());
    add(
        BenchmarkRow.of(
            "tiles/slope/f64/tiles=%d".formatted(tiles),
            OURS,
            THEIRS,
            rates,
            "M cells/s",
            ratio,
            isInOnePiece(table),
            "%d x %d tiles of %d x %d doubles, Parquet source, noop sink, %s; the greatest difference from the UDF is %.1e degrees"
                .formatted(tiles, tiles, cells, cells, master, difference)));
  }

  private static Dataset<Row> ours(Dataset<Row> table) {
    return Stencils.tiles(table).at("r", "c").apply(CALL, "slope").toDataset().drop("z");
  }

  private Dataset<Row> theirs(Dataset<Row> table) {
    return table
        .selectExpr("r", "c", "z", "explode(sequence(-1, 1)) dr")
        .selectExpr("r", "c", "z", "dr", "explode(sequence(-1, 1)) dc")
        .selectExpr("r - dr r", "c - dc c", "struct(dr, dc, z) piece")
        .where("r BETWEEN 0 AND %1$d AND c BETWEEN 0 AND %1$d".formatted(tiles - 1))
        .groupBy("r", "c")
        .agg(collect_list("piece").as("pieces"))
        .selectExpr("r", "c", "slope_of_nine(pieces) slope");
  }

  /** Compares the results of a part of the tiles with those over the part as one array. */
  private boolean isInOnePiece(Dataset<Row> table) {
    int part = Math.min(4, tiles);
    Dataset<Row> few = table.where("r < %1$d AND c < %1$d".formatted(part));
    Dataset<Row> whole =
        few.groupBy("r")
            .agg(expr("transform(array_sort(collect_list(struct(c, z))), t -> t.z)").as("row"))
            .selectExpr(
                "r",
                "transform(sequence(0, %d), i -> flatten(transform(row, t -> t[i]))) z"
                    .formatted(cells - 1))
            .selectExpr("1 one", "r", "z")
            .groupBy("one")
            .agg(
                expr("flatten(transform(array_sort(collect_list(struct(r, z))), t -> t.z))")
                    .as("z"));
    String cut =
        "transform(slice(slope, r * %1$d + 1, %1$d), line -> slice(line, c * %1$d + 1, %1$d)) slope"
            .formatted(cells);
    Dataset<Row> expected =
        whole.selectExpr(CALL + " slope").crossJoin(few.select("r", "c")).selectExpr("r", "c", cut);
    if (LocalSpark.digest(ours(few), "r, c, slope") != LocalSpark.digest(expected, "r, c, slope")) {
      throw new IllegalStateException("tiles are not as in one piece");
    }
    return true;
  }

  /** Slopes of a tile, as users would write them, from the tiles around it. */
  private static final class SlopeOfNine implements UDF1<Seq<Row>, double[][]> {
    private static final long serialVersionUID = 1L;

    @Override
    public double[][] call(Seq<Row> pieces) {
      double[][][] tiles = new double[9][][];
      for (Row piece : CollectionConverters.asJava(pieces)) {
        tiles[4 + 3 * piece.getInt(0) + piece.getInt(1)] = cells(piece.getSeq(2));
      }
      int rows = tiles[4].length;
      int columns = tiles[4][0].length;
      double[][] slopes = new double[rows][columns];
      for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
          double east = 0;
          double south = 0;
          for (int side = -1; side <= 1; side++) {
            int weight = side == 0 ? 2 : 1;
            east += weight * (at(tiles, y + side, x + 1) - at(tiles, y + side, x - 1));
            south += weight * (at(tiles, y + 1, x + side) - at(tiles, y - 1, x + side));
          }
          slopes[y][x] = Math.toDegrees(Math.atan(Math.hypot(east / (8 * 20), south / (8 * 30))));
        }
      }
      return slopes;
    }

    private static double[][] cells(Seq<Seq<Double>> tile) {
      double[][] cells = new double[tile.length()][];
      for (int y = 0; y < cells.length; y++) {
        Seq<Double> row = tile.apply(y);
        cells[y] = new double[row.length()];
        for (int x = 0; x < cells[y].length; x++) {
          cells[y][x] = row.apply(x);
        }
      }
      return cells;
    }

    /** Returns a cell of nine tiles; at the ends of the raster, the nearest. */
    private static double at(double[][][] tiles, int y, int x) {
      int rows = tiles[4].length;
      int columns = tiles[4][0].length;
      int down = y < 0 && tiles[1] != null ? -1 : y >= rows && tiles[7] != null ? 1 : 0;
      int across = x < 0 && tiles[3] != null ? -1 : x >= columns && tiles[5] != null ? 1 : 0;
      double[][] tile = tiles[4 + 3 * down + across];
      int row = Math.min(Math.max(y - down * rows, 0), tile.length - 1);
      return tile[row][Math.min(Math.max(x - across * columns, 0), tile[0].length - 1)];
    }
  }
}
