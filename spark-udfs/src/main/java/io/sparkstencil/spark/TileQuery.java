/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.catalyst.tiles.TilePlans;
import io.sparkstencil.spark.catalyst.tiles.TilePlans.TileCall;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Functions of images over rasters whose tiles are the rows of a dataset: results have the bits of
 * the function over the whole raster, without seams between tiles. Tiles stay on the executors that
 * read them, and the cells beside each come there from the tiles around; nobody needs the whole
 * raster. Immutable: every method returns a new query. Nothing runs before an action on {@link
 * #toDataset}.
 *
 * <pre>{@code
 * Dataset<Row> heights = spark.table("heights"); // row int, column int, z array<array<smallint>>
 * Dataset<Row> slopes =
 *     Stencils.tiles(heights)
 *         .at("row", "column")
 *         .apply("stencil2d_slope(z, 30, 30, 'nearest')", "slope")
 *         .apply("stencil_expr(z, 'focal_mean(u, 2)')", "smooth")
 *         .toDataset();
 * }</pre>
 *
 * <p>Tiles that have the same number along rows have equally many rows, and those with the same
 * number along columns equally many columns. The raster reaches from the lowest numbers to the
 * highest; cells of tiles that are not there are null. The session must have the extensions, which
 * it finds by itself where the jar is on the class path when it starts.
 */
public final class TileQuery {
  private final Dataset<Row> input;
  private final List<String> position;
  private final List<String> partitionBy;
  private final List<TileCall> calls;

  TileQuery(Dataset<Row> input) {
    this(requireNonNull(input, "dataset is null"), List.of(), List.of(), List.of());
  }

  private TileQuery(
      Dataset<Row> input, List<String> position, List<String> partitionBy, List<TileCall> calls) {
    this.input = input;
    this.position = position;
    this.partitionBy = partitionBy;
    this.calls = calls;
  }

  /**
   * Names the columns with the numbers of tiles, integers. Required.
   *
   * @param row numbers that rise from the first rows of cells to the last
   * @param column numbers that rise from the first columns of cells to the last
   */
  public TileQuery at(String row, String column) {
    return new TileQuery(input, List.of(row, column), partitionBy, calls);
  }

  /** Makes a raster of the tiles that have equal values in these columns; nulls count as equal. */
  public TileQuery partitionBy(String... columns) {
    return new TileQuery(input, position, List.of(columns), calls);
  }

  /**
   * Adds a column of results: tiles of the same sizes.
   *
   * @param call a call in SQL of a function of images whose array is a column of tiles
   * @param as the name of the column
   */
  public TileQuery apply(String call, String as) {
    List<TileCall> more = new ArrayList<>(calls);
    more.add(
        new TileCall(requireNonNull(call, "call is null"), requireNonNull(as, "name is null")));
    return new TileQuery(input, position, partitionBy, List.copyOf(more));
  }

  /**
   * Returns the input's columns and the results, in any order of the rows. An action computes the
   * input once for each column of tiles, and writes it to the disks of its executors while the
   * edges of tiles travel.
   *
   * @throws InvalidStencilException if a column is not there or has the wrong type, or a call is
   *     none of a function of images, reads positions, or reaches further than 4096 cells
   */
  public Dataset<Row> toDataset() {
    if (input.isStreaming()) {
      throw new InvalidStencilException(
          "the dataset is a stream, whose tiles to come others would have to wait for; apply functions to each batch in foreachBatch, or to what the stream has written");
    }
    if (position.isEmpty()) {
      throw new InvalidStencilException(
          "tiles need their places; call at with the columns of their numbers along rows and columns");
    }
    if (calls.isEmpty()) {
      throw new InvalidStencilException("there is no function; call apply first");
    }
    return TilePlans.results(input, position, partitionBy, calls);
  }
}
