/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/**
 * A part of a tile on its way to another one, as bytes: where it goes, and its cells, row by row,
 * each row as Spark's arrays have their elements, with its bits of nulls before it.
 *
 * @param row the first row in the tile with its surroundings
 * @param column the first column
 * @param rows of the part
 * @param columns of the part
 * @param own whether the part is the tile itself
 * @param wideRows of the tile with its surroundings
 * @param wideColumns of the tile with its surroundings
 */
record TilePiece(
    int row, int column, int rows, int columns, boolean own, int wideRows, int wideColumns) {
  private static final int HEAD = 7 * Integer.BYTES;

  /** Returns the bytes of a row of cells, nulls before them. */
  private static long rowBytes(int columns, int cellBytes) {
    return nullBytes(columns) + (long) columns * cellBytes;
  }

  private static int nullBytes(int columns) {
    return (columns + 63) / 64 * 8;
  }

  /** Returns bytes with the head, and room for the cells. */
  byte[] bytes(int cellBytes) {
    byte[] bytes = new byte[Math.toIntExact(HEAD + rows * rowBytes(columns, cellBytes))];
    head(bytes)
        .putInt(row)
        .putInt(column)
        .putInt(rows)
        .putInt(columns)
        .putInt(own ? 1 : 0)
        .putInt(wideRows)
        .putInt(wideColumns);
    return bytes;
  }

  private static ByteBuffer head(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the head of bytes. */
  static TilePiece of(byte[] bytes) {
    ByteBuffer head = head(bytes);
    return new TilePiece(
        head.getInt(),
        head.getInt(),
        head.getInt(),
        head.getInt(),
        head.getInt() != 0,
        head.getInt(),
        head.getInt());
  }

  /** Copies a row of cells out of a row of a tile. */
  void put(byte[] bytes, int index, UnsafeArrayData from, int first, int cellBytes) {
    long at = Platform.BYTE_ARRAY_OFFSET + HEAD + index * rowBytes(columns, cellBytes);
    copy(from, first, bytes, at, 0, columns, columns, cellBytes);
  }

  /**
   * Copies a row of cells to its place.
   *
   * @param to has room for a row with {@code cells} cells: its bits of nulls, and the cells
   */
  void take(byte[] bytes, int index, byte[] to, long at, int cells, int cellBytes) {
    long from = Platform.BYTE_ARRAY_OFFSET + HEAD + index * rowBytes(columns, cellBytes);
    Platform.copyMemory(
        bytes,
        from + nullBytes(columns),
        to,
        at + nullBytes(cells) + (long) column * cellBytes,
        (long) columns * cellBytes);
    for (int word = 0; word < nullBytes(columns) / 8; word++) {
      long nulls = Platform.getLong(bytes, from + 8L * word);
      for (int i = 0; nulls != 0; i++, nulls >>>= 1) {
        if ((nulls & 1) != 0) {
          BitSetMethods.set(to, at, column + 64 * word + i);
        }
      }
    }
  }

  /**
   * Copies cells of an array to a row of cells.
   *
   * @param first of the array
   * @param at the row's bits of nulls
   * @param column where the cells go
   * @param cells of the row
   */
  static void copy(
      UnsafeArrayData from,
      int first,
      byte[] to,
      long at,
      int column,
      int count,
      int cells,
      int cellBytes) {
    long elements =
        from.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes(from.numElements());
    Platform.copyMemory(
        from.getBaseObject(),
        elements + (long) first * cellBytes,
        to,
        at + nullBytes(cells) + (long) column * cellBytes,
        (long) count * cellBytes);
    long nulls = from.getBaseOffset() + 8;
    if (BitSetMethods.anySet(from.getBaseObject(), nulls, nullBytes(from.numElements()) / 8)) {
      for (int i = 0; i < count; i++) {
        if (from.isNullAt(first + i)) {
          BitSetMethods.set(to, at, column + i);
        }
      }
    }
  }
}
