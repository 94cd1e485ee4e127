/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoder;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders;
import org.apache.spark.sql.expressions.SparkUserDefinedFunction;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction9;

/**
 * Functions over tiles as users write them without this library: a function of users (UDF) gets
 * each tile and the eight around it as arrays of doubles. At the ends of the raster, the nearest
 * cells go on.
 */
final class TilesByHand {
  private static final int AROUND = 9;
  private static final int OWN = 4;

  private TilesByHand() {}

  /** What is computed, and how our function is called. */
  enum Kernel {
    MEAN("stencil2d_mean(z, 1, 'nearest')", 1),
    MEDIAN("stencil2d_median(z, 2, 'nearest')", 2),
    SLOPE("stencil2d_slope(z, 30, 20, 'nearest')", 1),
    HILLSHADE("stencil2d_hillshade(z, 30, 20, 'nearest')", 1);

    private final String call;
    private final int reach;

    Kernel(String call, int reach) {
      this.call = call;
      this.reach = reach;
    }

    String call() {
      return call;
    }

    /** Returns a result from a tile with cells around it. */
    private double result(double[][] z, int y, int x, double[] box) {
      double[] p = z[y - 1];
      double[] q = z[y];
      double[] n = z[y + 1];
      double east = (p[x + 1] + 2 * q[x + 1] + n[x + 1] - p[x - 1] - 2 * q[x - 1] - n[x - 1]) / 160;
      double south = (n[x - 1] + 2 * n[x] + n[x + 1] - p[x - 1] - 2 * p[x] - p[x + 1]) / 240;
      return switch (this) {
        case MEAN ->
            (p[x - 1] + p[x] + p[x + 1] + q[x - 1] + q[x] + q[x + 1] + n[x - 1] + n[x] + n[x + 1])
                / 9;
        case MEDIAN -> median(z, y, x, box);
        case SLOPE -> Math.toDegrees(Math.atan(Math.sqrt(east * east + south * south)));
        case HILLSHADE -> shade(east, south);
      };
    }

    private static double shade(double east, double south) {
      double high = Math.sin(Math.toRadians(45));
      double flat = Math.cos(Math.toRadians(45));
      double azimuth = Math.toRadians(315);
      double light = high - east * flat * Math.sin(azimuth) + south * flat * Math.cos(azimuth);
      return 1 + 254 * Math.max(0, light / Math.sqrt(1 + east * east + south * south));
    }

    private static double median(double[][] z, int y, int x, double[] box) {
      for (int row = -2, at = 0; row <= 2; row++) {
        for (int column = -2; column <= 2; column++) {
          box[at++] = z[y + row][x + column];
        }
      }
      Arrays.sort(box);
      return box[12];
    }
  }

  /**
   * Joins the table with itself, once for each neighbour.
   *
   * @param edges whether of neighbours only the cells that are needed are joined, or all
   */
  static Dataset<Row> joined(Dataset<Row> table, Kernel kernel, boolean edges) {
    Dataset<Row> joined = table;
    List<Column> tiles = new ArrayList<>();
    for (int place = 0; place < AROUND; place++) {
      if (place == OWN) {
        tiles.add(col("z"));
        continue;
      }
      Dataset<Row> beside =
          table.selectExpr(
              "r - (%d) r".formatted(place / 3 - 1),
              "c - (%d) c".formatted(place % 3 - 1),
              (edges ? edge(place, kernel.reach) : "z") + " z" + place);
      joined = joined.join(beside, seq(List.of("r", "c")), "left_outer");
      tiles.add(col("z" + place));
    }
    return joined.select(col("r"), col("c"), function(kernel).apply(seq(tiles)).as("made"));
  }

  /** Returns the cells of a neighbour that are next to the tile, as an expression of SQL. */
  private static String edge(int place, int reach) {
    String[] starts = {"-" + reach, null, "1"};
    String rows = starts[place / 3];
    String columns = starts[place % 3];
    String cut = rows == null ? "z" : "slice(z, %s, %d)".formatted(rows, reach);
    return columns == null
        ? cut
        : "transform(%s, line -> slice(line, %s, %d))".formatted(cut, columns, reach);
  }

  /**
   * Sends each tile to its neighbours, in one shuffle.
   *
   * @param count the tiles along each axis
   */
  static Dataset<Row> gathered(Dataset<Row> table, Kernel kernel, int count) {
    List<Column> found = new ArrayList<>();
    List<Column> tiles = new ArrayList<>();
    for (int place = 0; place < AROUND; place++) {
      found.add(expr("first(if(place = %1$d, z, null), true)".formatted(place)).as("z" + place));
      tiles.add(col("z" + place));
    }
    return table
        .selectExpr("r", "c", "z", "explode(sequence(0, 8)) place")
        .selectExpr("r - (place div 3 - 1) r", "c - (place % 3 - 1) c", "place", "z")
        .where("r BETWEEN 0 AND %1$d AND c BETWEEN 0 AND %1$d".formatted(count - 1))
        .groupBy("r", "c")
        .agg(found.get(0), found.subList(1, AROUND).toArray(new Column[0]))
        .select(col("r"), col("c"), function(kernel).apply(seq(tiles)).as("made"));
  }

  private static <T> Seq<T> seq(List<T> elements) {
    return CollectionConverters.asScala(elements).toSeq();
  }

  /** Returns the function with arrays of doubles, which Spark copies at once. */
  @SuppressWarnings("unchecked") // the encoders are those of the arrays
  private static UserDefinedFunction function(Kernel kernel) {
    AgnosticEncoder<double[]> row =
        (AgnosticEncoder<double[]>)
            (AgnosticEncoder<?>)
                new AgnosticEncoders.ArrayEncoder<Object>(
                    (AgnosticEncoder<Object>)
                        (AgnosticEncoder<?>) AgnosticEncoders.PrimitiveDoubleEncoder$.MODULE$,
                    false);
    Encoder<?> tile = new AgnosticEncoders.ArrayEncoder<>(row, true);
    List<Option<Encoder<?>>> inputs = Collections.nCopies(AROUND, Option.apply(tile));
    return new SparkUserDefinedFunction(
        new OfNine(kernel),
        tile.schema().fields()[0].dataType(),
        seq(inputs),
        Option.apply(tile),
        Option.empty(),
        true,
        true);
  }

  /** Computes a tile from the nine. */
  private static final class OfNine
      extends AbstractFunction9<
          Object, Object, Object, Object, Object, Object, Object, Object, Object, Object>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Kernel kernel;

    OfNine(Kernel kernel) {
      this.kernel = kernel;
    }

    @Override
    public Object apply(
        Object a, Object b, Object c, Object d, Object e, Object f, Object g, Object h, Object i) {
      double[][][] tiles = new double[AROUND][][];
      Object[] all = {a, b, c, d, e, f, g, h, i};
      for (int place = 0; place < AROUND; place++) {
        tiles[place] = (double[][]) all[place];
      }
      int rows = tiles[OWN].length;
      int columns = tiles[OWN][0].length;
      int reach = kernel.reach;
      double[][] wide = new double[rows + 2 * reach][columns + 2 * reach];
      for (int y = -reach; y < rows + reach; y++) {
        boolean inside = y >= 0 && y < rows;
        if (inside) {
          System.arraycopy(tiles[OWN][y], 0, wide[y + reach], reach, columns);
        }
        for (int x = -reach; x < columns + reach; x++) {
          if (!inside || x < 0 || x >= columns) {
            wide[y + reach][x + reach] = at(tiles, y, x);
          }
        }
      }
      double[][] made = new double[rows][columns];
      double[] box = new double[25];
      for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
          made[y][x] = kernel.result(wide, y + reach, x + reach, box);
        }
      }
      return made;
    }

    /** Returns a cell; neighbours may be there in part, as far as they are next to the tile. */
    private static double at(double[][][] tiles, int y, int x) {
      int rows = tiles[OWN].length;
      int columns = tiles[OWN][0].length;
      int down = y < 0 && tiles[1] != null ? -1 : y >= rows && tiles[7] != null ? 1 : 0;
      int across = x < 0 && tiles[3] != null ? -1 : x >= columns && tiles[5] != null ? 1 : 0;
      double[][] tile = tiles[OWN + 3 * down + across];
      int row =
          down < 0 ? tile.length + y : down > 0 ? y - rows : Math.min(Math.max(y, 0), rows - 1);
      int column =
          across < 0
              ? tile[0].length + x
              : across > 0 ? x - columns : Math.min(Math.max(x, 0), columns - 1);
      return tile[row][column];
    }
  }
}
