/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.bitset.BitSetMethods;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * What every task does with the pieces of its tiles, which come sorted by keys: one row for each
 * tile that is there. Rows have the keys of a raster, the numbers of a tile, and {@value #VALUES}
 * values: whether the piece is the tile itself, its other columns, and the piece.
 */
final class TileGroups implements Serializable {
  private static final long serialVersionUID = 1L;

  static final int VALUES = 3;

  private final Seq<Attribute> pieces;
  private final Seq<Attribute> attributes;
  private final DataType cells;
  private final List<String> names;
  private final int keys;
  private final int others; // columns of a tile beside its cells

  TileGroups(Seq<Attribute> pieces, Seq<Attribute> attributes, DataType cells, List<String> names) {
    this.pieces = pieces;
    this.attributes = attributes;
    this.cells = cells;
    this.names = names;
    keys = pieces.size() - VALUES;
    others = ((StructType) pieces.apply(keys + 1).dataType()).size();
  }

  /**
   * Returns the type of a tile with its surroundings: the cells, and the first row, the first
   * column, the rows and the columns of the tile in them. Cells of tiles that are not there are
   * null.
   */
  static DataType wide(DataType cells) {
    return DataTypes.createStructType(
        new StructField[] {
          DataTypes.createStructField(
              "cells",
              DataTypes.createArrayType(DataTypes.createArrayType(cells, true), false),
              false),
          DataTypes.createStructField("row", DataTypes.IntegerType, false),
          DataTypes.createStructField("column", DataTypes.IntegerType, false),
          DataTypes.createStructField("rows", DataTypes.IntegerType, false),
          DataTypes.createStructField("columns", DataTypes.IntegerType, false)
        });
  }

  /** Returns what is made of each tile: its other columns, and the tile with its surroundings. */
  static Seq<Attribute> made(Attribute others, DataType cells, String wide) {
    return ScalaInterop.seq(
        List.of(
            Expressions.column(others.name(), others.dataType(), false),
            Expressions.column(wide, wide(cells), true)));
  }

  /** Returns a row for each tile, lazily and in order. */
  Iterator<InternalRow> tiles(Iterator<InternalRow> rows) {
    return new Tiles(rows);
  }

  private final class Tiles extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final UnsafeProjection columns;
    private final UnsafeProjection keyColumns;
    private UnsafeRow
        ahead; // the first row of the next group; null before the first, and at the end
    private UnsafeRow aheadKeys;
    private InternalRow tile; // the next one that is there; null if it is not known

    Tiles(Iterator<InternalRow> rows) {
      this.rows = rows;
      columns =
          UnsafeProjection.create(ScalaInterop.<Expression>seq(all(pieces.size())), attributes);
      keyColumns = UnsafeProjection.create(ScalaInterop.<Expression>seq(all(keys)), pieces);
      advance();
    }

    private List<Attribute> all(int count) {
      return ScalaInterop.list(pieces).subList(0, count);
    }

    private void advance() {
      ahead = rows.hasNext() ? columns.apply(rows.next()) : null;
      aheadKeys = ahead == null ? null : keyColumns.apply(ahead);
    }

    @Override
    public boolean hasNext() {
      while (tile == null && ahead != null) {
        tile = group();
      }
      return tile != null;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow made = tile;
      tile = null;
      return made;
    }

    /** Reads all pieces of a tile; returns null if it is not there. */
    private InternalRow group() {
      UnsafeRow group = aheadKeys.copy();
      List<byte[]> bytes = new ArrayList<>();
      InternalRow rest = null;
      while (ahead != null && aheadKeys.equals(group)) {
        if (ahead.getBoolean(keys)) {
          requireFirst(rest, group);
          rest = ahead.getStruct(keys + 1, others).copy();
        }
        if (!ahead.isNullAt(keys + 2)) {
          bytes.add(ahead.getBinary(keys + 2));
        }
        advance();
      }
      return rest == null ? null : new GenericInternalRow(new Object[] {rest, joined(bytes)});
    }

    private void requireFirst(InternalRow before, UnsafeRow group) {
      if (before != null) {
        throw new BadDataException(
            "two tiles have the %s %d and the %s %d; leave one of them, or name what tells their rasters apart by partitionBy"
                .formatted(
                    names.get(0), group.getLong(keys - 2), names.get(1), group.getLong(keys - 1)));
      }
    }
  }

  private InternalRow joined(List<byte[]> all) {
    TilePiece own = null;
    long covered = 0;
    for (byte[] bytes : all) {
      TilePiece piece = TilePiece.of(bytes);
      own = piece.own() ? piece : own;
      covered += (long) piece.rows() * piece.columns();
    }
    if (own == null) {
      return null;
    }
    boolean whole = covered == (long) own.wideRows() * own.wideColumns();
    byte[][] rows = rows(own, whole);
    int cellBytes = TileArrays.cellBytes(cells);
    for (byte[] bytes : all) {
      TilePiece piece = TilePiece.of(bytes);
      for (int row = 0; row < piece.rows(); row++) {
        byte[] to = rows[piece.row() + row];
        long at = Platform.BYTE_ARRAY_OFFSET + 8L;
        for (int i = 0; !whole && i < piece.columns(); i++) {
          BitSetMethods.unset(to, at, piece.column() + i);
        }
        piece.take(bytes, row, to, at, own.wideColumns(), cellBytes);
      }
    }
    Object[] arrays = new Object[rows.length];
    for (int row = 0; row < rows.length; row++) {
      arrays[row] = TileArrays.of(rows[row]);
    }
    return new GenericInternalRow(
        new Object[] {
          new GenericArrayData(arrays), own.row(), own.column(), own.rows(), own.columns()
        });
  }

  /** Returns rows of zeros; of nulls, unless there is a piece for every cell. */
  private byte[][] rows(TilePiece own, boolean whole) {
    byte[][] rows = new byte[own.wideRows()][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = TileArrays.bytes(own.wideColumns(), TileArrays.cellBytes(cells));
      for (int i = 0; !whole && i < own.wideColumns(); i++) {
        BitSetMethods.set(rows[row], Platform.BYTE_ARRAY_OFFSET + 8, i);
      }
    }
    return rows;
  }
}
