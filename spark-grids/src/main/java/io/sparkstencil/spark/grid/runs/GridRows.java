/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.apache.spark.sql.functions.col;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.AxisCoordinates;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FirstCells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Tuple2;

/** Rows with the coordinates of cells and values of fields; cells without a row are 0. */
public final class GridRows {
  private final Dataset<Row> rows;
  private final List<Integer> fields;
  private final List<String> coordinates;
  private final List<AxisCoordinates> axes;

  /**
   * Takes columns of a dataset.
   *
   * @param coordinates columns of positions, slowest axis first
   * @param columns the index of a field and the column of its values
   * @param axes the coordinates by which rows find their cells; none where they have positions
   * @throws io.sparkstencil.error.InvalidStencilException if a column of positions has another type
   *     than numbers or text
   */
  public GridRows(
      Dataset<Row> dataset,
      List<String> coordinates,
      Map<Integer, String> columns,
      List<AxisCoordinates> axes) {
    fields = columns.keySet().stream().sorted().toList();
    this.coordinates = new ArrayList<>(coordinates);
    this.axes = new ArrayList<>(axes);
    Dataset<Row> at =
        dataset.select(coordinates.stream().map(name -> col(name)).toArray(Column[]::new));
    for (int axis = 0; axis < coordinates.size(); axis++) {
      RowPosition.requireType(coordinates.get(axis), at.schema().apply(axis).dataType());
    }
    Stream<Column> positions = coordinates.stream().map(name -> col(name));
    Stream<Column> values = fields.stream().map(field -> col(columns.get(field)).cast("double"));
    rows = dataset.select(Stream.concat(positions, values).toArray(Column[]::new));
  }

  /** Returns the indices of the fields that rows have. */
  List<Integer> fields() {
    return new ArrayList<>(fields);
  }

  /** Returns the bits of the values of rows, by {@link ToBlocks#key} of their cells, in order. */
  JavaPairRDD<Long, long[]> sorted(GridBlocks blocks) {
    List<String> names = coordinates;
    List<AxisCoordinates> known = axes;
    return rows.toJavaRDD()
        .mapToPair(row -> new Tuple2<>(key(row, names, known, blocks), values(row, names.size())))
        .repartitionAndSortWithinPartitions(new ToBlocks(blocks.count()));
  }

  private static Long key(
      Row row, List<String> coordinates, List<AxisCoordinates> axes, GridBlocks blocks) {
    if (row.anyNull()) {
      throw new BadDataException(
          "row %s of a grid has a null; leave out such rows, or give them numbers".formatted(row));
    }
    List<Long> position = new ArrayList<>();
    for (int axis = 0; axis < coordinates.size(); axis++) {
      position.add(
          axes.isEmpty()
              ? RowPosition.of(coordinates.get(axis), row.get(axis))
              : RowPosition.of(coordinates.get(axis), row.get(axis), axes.get(axis)));
    }
    int block = blocks.blockOf(position);
    return ToBlocks.key(block, blocks.box(block).index(position));
  }

  private static long[] values(Row row, int dimensions) {
    long[] words = new long[row.size() - dimensions];
    Arrays.setAll(words, i -> Double.doubleToRawLongBits(row.getDouble(dimensions + i)));
    return words;
  }

  /**
   * Returns the cells of a block, piece by piece.
   *
   * @param rows those of the block, in the order of its cells
   * @param fields the indices of the fields that they have
   */
  static Iterator<FirstCells> place(
      Box block, Iterator<Tuple2<Long, long[]>> rows, List<Integer> fields, ElementType type) {
    Iterator<Box> pieces = block.pieces(GridSources.PIECE_CELLS).iterator();
    PeekingRows next = new PeekingRows(rows);
    return new Iterator<>() {
      private int start;

      @Override
      public boolean hasNext() {
        return pieces.hasNext();
      }

      @Override
      public FirstCells next() {
        Box piece = pieces.next();
        List<Object> arrays = fields.stream().map(field -> type.newArray(piece.cells())).toList();
        int end = start + piece.cells();
        for (int cell = next.cell(); cell < end; cell = next.cell()) {
          long[] values = next.take();
          for (int i = 0; i < values.length; i++) {
            set(arrays.get(i), cell - start, Double.longBitsToDouble(values[i]));
          }
          if (next.cell() == cell) {
            throw new BadDataException(
                "two rows of a grid have the position %s; give each cell one row, of several the mean or one of them"
                    .formatted(block.position(cell)));
          }
        }
        start = end;
        return new CellPiece(piece, fields, arrays);
      }
    };
  }

  private static void set(Object array, int index, double value) {
    if (array instanceof float[] floats) {
      floats[index] = (float) value;
    } else {
      ((double[]) array)[index] = value;
    }
  }

  /** Rows of a block, of which the next one's cell is known. */
  private static final class PeekingRows {
    private final Iterator<Tuple2<Long, long[]>> rows;
    private Tuple2<Long, long[]> next; // null for none

    PeekingRows(Iterator<Tuple2<Long, long[]>> rows) {
      this.rows = rows;
      take();
    }

    /** Returns the place of the next row among the block's cells. */
    int cell() {
      return next == null ? Integer.MAX_VALUE : ToBlocks.cell(next._1());
    }

    long[] take() {
      long[] taken = next == null ? null : next._2();
      next = rows.hasNext() ? rows.next() : null;
      return taken;
    }
  }
}
