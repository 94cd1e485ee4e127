/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/**
 * How tiles are read out of rows.
 *
 * @param columns those that tell rasters apart, the numbers of tiles along rows and columns, and
 *     the tiles
 * @param attributes the rows
 * @param names of the columns with the numbers, for messages
 * @param reach what tiles need beside them
 */
record TileInput(
    Seq<Attribute> columns, Seq<Attribute> attributes, List<String> names, TileReach reach)
    implements Serializable {
  /** Returns the columns of {@link TileKey}. */
  int keyFields() {
    return columns.size() - 1;
  }

  private Attribute tiles() {
    return columns.apply(columns.size() - 1);
  }

  int cellBytes() {
    return TileArrays.cellBytes(TileArrays.cells(tiles().dataType()));
  }

  /** Returns a reader for one task. */
  Reader reader() {
    return new Reader();
  }

  /** Reads tiles; used by one thread. */
  final class Reader {
    private final UnsafeProjection keys =
        UnsafeProjection.create(
            ScalaInterop.<Expression>seq(ScalaInterop.list(columns).subList(0, keyFields())),
            attributes);
    private final int ordinal = ScalaInterop.ordinal(tiles(), attributes);
    private final DataType cells = TileArrays.cells(tiles().dataType());

    /** Returns which tile a row has, until the next row is read. */
    TileKey key(InternalRow row) {
      UnsafeRow key = keys.apply(row);
      for (int axis = 0; axis < names.size(); axis++) {
        if (key.isNullAt(keyFields() - 2 + axis)) {
          throw new BadDataException(
              "a tile has no %s: it is null; leave out such rows".formatted(names.get(axis)));
        }
      }
      return new TileKey(key);
    }

    /** Returns the rows of the tile of a row; null if it is null. */
    List<UnsafeArrayData> tile(InternalRow row, TileKey key) {
      if (row.isNullAt(ordinal)) {
        return null;
      }
      ArrayData tile = row.getArray(ordinal);
      List<UnsafeArrayData> rows = new ArrayList<>(tile.numElements());
      for (int i = 0; i < tile.numElements(); i++) {
        rows.add(TileArrays.row(tile, i, cells));
        if (rows.get(i).numElements() != rows.get(0).numElements()) {
          throw new BadDataException(
              "row %d of the tile at %s %d, %s %d has %d cells and row 0 has %d; all rows of a tile need equally many"
                  .formatted(
                      i,
                      names.get(0),
                      key.rowNumber(),
                      names.get(1),
                      key.columnNumber(),
                      rows.get(i).numElements(),
                      rows.get(0).numElements()));
        }
      }
      return rows;
    }
  }
}
