/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.Part;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * What tiles need of one of them: an array of structs of the numbers of the tile that needs it,
 * whether it is this tile itself, and the {@link TilePiece}. A tile that is null has one struct
 * without a piece.
 *
 * <p>The children are the two numbers of the tile, the tile, and the tiles along both axes.
 */
final class TilePieces extends TileExpression {
  private static final long serialVersionUID = 1L;

  private static final DataType TYPE =
      DataTypes.createArrayType(
          DataTypes.createStructType(
              new StructField[] {
                DataTypes.createStructField("row", DataTypes.LongType, false),
                DataTypes.createStructField("column", DataTypes.LongType, false),
                DataTypes.createStructField("own", DataTypes.BooleanType, false),
                DataTypes.createStructField("piece", DataTypes.BinaryType, true)
              }),
          false);

  private final TileReach reach;
  private final List<String> names; // of the columns with the numbers
  private transient ArrayData rowTiles;
  private transient ArrayData columnTiles;
  private transient TileAxis rowAxis;
  private transient TileAxis columnAxis;

  TilePieces(TileReach reach, List<String> names, Seq<Expression> children) {
    super(children);
    this.reach = reach;
    this.names = names;
  }

  @Override
  public Object eval(InternalRow input) {
    Object row = number(input, 0);
    Object column = number(input, 1);
    ArrayData tile = (ArrayData) child(2).eval(input);
    if (tile == null) {
      return new GenericArrayData(
          new Object[] {new GenericInternalRow(new Object[] {row, column, true, null})});
    }
    findAxes((ArrayData) child(3).eval(input), (ArrayData) child(4).eval(input));
    List<UnsafeArrayData> rows = rows(tile, (long) row, (long) column);
    List<Object> pieces = new ArrayList<>();
    List<Part> across = columnAxis.parts((long) column, rows.get(0).numElements(), reach.columns());
    for (Part down : rowAxis.parts((long) row, rows.size(), reach.rows())) {
      for (Part side : across) {
        pieces.add(
            new GenericInternalRow(
                new Object[] {
                  down.number(), side.number(), down.own() && side.own(), piece(rows, down, side)
                }));
      }
    }
    return new GenericArrayData(pieces.toArray());
  }

  private Object number(InternalRow input, int axis) {
    Object number = child(axis).eval(input);
    if (number == null) {
      throw new BadDataException(
          "a tile has no %s: it is null; leave out such rows".formatted(names.get(axis)));
    }
    return number;
  }

  /** Most rows come with the axes of the row before. */
  private void findAxes(ArrayData ofRows, ArrayData ofColumns) {
    if (!ofRows.equals(rowTiles) || !ofColumns.equals(columnTiles)) {
      rowTiles = ofRows.copy();
      columnTiles = ofColumns.copy();
      rowAxis = TileAxis.of(names.get(0), rowTiles);
      columnAxis = TileAxis.of(names.get(1), columnTiles);
    }
  }

  private List<UnsafeArrayData> rows(ArrayData tile, long row, long column) {
    DataType cells = TileArrays.cells(child(2).dataType());
    List<UnsafeArrayData> rows = new ArrayList<>(tile.numElements());
    for (int i = 0; i < tile.numElements(); i++) {
      rows.add(TileArrays.row(tile, i, cells));
      if (rows.get(i).numElements() != rows.get(0).numElements()) {
        throw new BadDataException(
            "row %d of the tile at %s %d, %s %d has %d cells and row 0 has %d; all rows of a tile need equally many"
                .formatted(
                    i,
                    names.get(0),
                    row,
                    names.get(1),
                    column,
                    rows.get(i).numElements(),
                    rows.get(0).numElements()));
      }
    }
    return rows;
  }

  private byte[] piece(List<UnsafeArrayData> tile, Part down, Part side) {
    int cellBytes = TileArrays.cellBytes(TileArrays.cells(child(2).dataType()));
    TilePiece piece =
        new TilePiece(
            down.to(),
            side.to(),
            down.count(),
            side.count(),
            down.own() && side.own(),
            rowAxis.wide(down.number(), reach.rows()).cells(),
            columnAxis.wide(side.number(), reach.columns()).cells());
    byte[] bytes = piece.bytes(cellBytes);
    for (int i = 0; i < down.count(); i++) {
      piece.put(bytes, i, tile.get(down.from() + i), side.from(), cellBytes);
    }
    return bytes;
  }

  @Override
  public DataType dataType() {
    return TYPE;
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public String prettyName() {
    return "stencil_tile_pieces";
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new TilePieces(reach, names, newChildren);
  }

  @Override
  public List<Object> elements() {
    return List.of(reach, names, children());
  }
}
