/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The rows and columns of a tile, without its surroundings.
 *
 * <p>The children are cells with the surroundings, and what {@link TileGroups} says of the tile.
 */
final class TileCrop extends TileExpression {
  private static final long serialVersionUID = 1L;

  TileCrop(Seq<Expression> children) {
    super(children);
  }

  @Override
  public Object eval(InternalRow input) {
    ArrayData wide = (ArrayData) child(0).eval(input);
    if (wide == null) {
      return null;
    }
    int row = (int) child(1).eval(input);
    int column = (int) child(2).eval(input);
    int columns = (int) child(4).eval(input);
    DataType cells = TileArrays.cells(dataType());
    int cellBytes = TileArrays.cellBytes(cells);
    Object[] rows = new Object[(int) child(3).eval(input)];
    for (int i = 0; i < rows.length; i++) {
      byte[] bytes = TileArrays.bytes(columns, cellBytes);
      TilePiece.copy(
          TileArrays.row(wide, row + i, cells),
          column,
          bytes,
          Platform.BYTE_ARRAY_OFFSET + 8,
          0,
          columns,
          columns,
          cellBytes);
      rows[i] = TileArrays.of(bytes);
    }
    return new GenericArrayData(rows);
  }

  @Override
  public DataType dataType() {
    return child(0).dataType();
  }

  @Override
  public boolean nullable() {
    return child(0).nullable();
  }

  @Override
  public String prettyName() {
    return "stencil_tile_crop";
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new TileCrop(newChildren);
  }

  @Override
  public List<Object> elements() {
    return List.of(children());
  }
}
