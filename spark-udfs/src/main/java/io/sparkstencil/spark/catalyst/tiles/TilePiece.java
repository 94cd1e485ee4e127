/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.programs.ProgramBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/**
 * A rectangle of cells on its way from one tile to another, as bytes: where it lies, and its cells,
 * row by row, each row with its bits of nulls before it.
 *
 * @param row the first row
 * @param column the first column
 * @param rows of the rectangle
 * @param columns of the rectangle
 */
record TilePiece(int row, int column, int rows, int columns) {
  private static final int HEAD = 4 * Integer.BYTES;
  private static final long MIXING = 0x9E3779B97F4A7C15L;

  private static int nullBytes(int columns) {
    return (columns + 63) / 64 * 8;
  }

  private long at(int index, int cellBytes) {
    long rowBytes = nullBytes(columns) + (long) columns * cellBytes;
    return Platform.BYTE_ARRAY_OFFSET + HEAD + index * rowBytes;
  }

  /** Returns bytes with the head, and room for the cells. */
  private byte[] bytes(int cellBytes) {
    byte[] bytes = new byte[Math.toIntExact(at(rows, cellBytes) - Platform.BYTE_ARRAY_OFFSET)];
    head(bytes).putInt(row).putInt(column).putInt(rows).putInt(columns);
    return bytes;
  }

  private static ByteBuffer head(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the head of bytes. */
  static TilePiece of(byte[] bytes) {
    ByteBuffer head = head(bytes);
    return new TilePiece(head.getInt(), head.getInt(), head.getInt(), head.getInt());
  }

  /** Returns the bytes of this rectangle of a tile, whose place is that in the tile. */
  byte[] cut(List<UnsafeArrayData> tile, int cellBytes) {
    byte[] bytes = bytes(cellBytes);
    for (int i = 0; i < rows; i++) {
      UnsafeArrayData from = tile.get(row + i);
      int header = UnsafeArrayData.calculateHeaderPortionInBytes(from.numElements());
      long to = at(i, cellBytes);
      Platform.copyMemory(
          from.getBaseObject(),
          from.getBaseOffset() + header + (long) column * cellBytes,
          bytes,
          to + nullBytes(columns),
          (long) columns * cellBytes);
      if (hasNulls(from)) {
        for (int x = 0; x < columns; x++) {
          if (from.isNullAt(column + x)) {
            BitSetMethods.set(bytes, to, x);
          }
        }
      }
    }
    return bytes;
  }

  /**
   * Returns a sum over the cells of this rectangle of a tile, whose place is that in the tile. It
   * goes on from another sum, and differs where one cell does.
   */
  long sum(List<UnsafeArrayData> tile, int cellBytes, long before) {
    long sum = before;
    for (int i = 0; i < rows; i++) {
      UnsafeArrayData from = tile.get(row + i);
      Object base = from.getBaseObject();
      int header = UnsafeArrayData.calculateHeaderPortionInBytes(from.numElements());
      long at = from.getBaseOffset() + header + (long) column * cellBytes;
      boolean nulls = hasNulls(from);
      for (int x = 0; x < columns; x++, at += cellBytes) {
        if (nulls && from.isNullAt(column + x)) {
          sum = ~sum * MIXING;
        } else {
          long cell =
              cellBytes == Float.BYTES ? Platform.getInt(base, at) : Platform.getLong(base, at);
          sum = (Long.rotateLeft(sum, 5) ^ cell) * MIXING;
        }
      }
    }
    return sum;
  }

  /** Returns whether an array has nulls. */
  static boolean hasNulls(UnsafeArrayData array) {
    int words = nullBytes(array.numElements()) / 8;
    return BitSetMethods.anySet(array.getBaseObject(), array.getBaseOffset() + 8, words);
  }

  /** Returns whether another rectangle is a part of this one. */
  boolean contains(TilePiece part) {
    return row <= part.row
        && part.row + part.rows <= row + rows
        && column <= part.column
        && part.column + part.columns <= column + columns;
  }

  /**
   * Returns the bytes of a part.
   *
   * @param bytes of this rectangle
   * @param part where it lies now
   * @param to where its first row is to lie
   * @param side where its first column is to lie
   */
  byte[] part(byte[] bytes, TilePiece part, int to, int side, int cellBytes) {
    TilePiece moved = new TilePiece(to, side, part.rows, part.columns);
    byte[] made = moved.bytes(cellBytes);
    int left = part.column - column;
    for (int i = 0; i < part.rows; i++) {
      long from = at(part.row - row + i, cellBytes);
      long at = moved.at(i, cellBytes);
      Platform.copyMemory(
          bytes,
          from + nullBytes(columns) + (long) left * cellBytes,
          made,
          at + nullBytes(part.columns),
          (long) part.columns * cellBytes);
      if (BitSetMethods.anySet(bytes, from, nullBytes(columns) / 8)) {
        for (int x = 0; x < part.columns; x++) {
          if (BitSetMethods.isSet(bytes, from, left + x)) {
            BitSetMethods.set(made, at, x);
          }
        }
      }
    }
    return made;
  }

  /**
   * Copies the cells to their place.
   *
   * @param entry room for all cells of the tile that this is for, with its surroundings
   */
  void write(byte[] bytes, ProgramBatch.Entry entry, int cellBytes) {
    int width = entry.extent().size(1);
    for (int i = 0; i < rows; i++) {
      long from = at(i, cellBytes);
      int to = (row + i) * width + column;
      write(bytes, from + nullBytes(columns), columns, entry, to, cellBytes);
      if (BitSetMethods.anySet(bytes, from, nullBytes(columns) / 8)) {
        for (int x = 0; x < columns; x++) {
          if (BitSetMethods.isSet(bytes, from, x)) {
            entry.setMissing(0, to + x);
          }
        }
      }
    }
  }

  /** Copies cells to a batch, from a cell of an entry on. */
  static void write(
      Object from, long offset, int count, ProgramBatch.Entry entry, int to, int cellBytes) {
    Platform.copyMemory(
        from, offset, entry.cells(0), offset(entry, to, cellBytes), (long) count * cellBytes);
  }

  /** Returns where a cell is in the memory of a batch. */
  static long offset(ProgramBatch.Entry entry, int cell, int cellBytes) {
    long first =
        cellBytes == Float.BYTES ? Platform.FLOAT_ARRAY_OFFSET : Platform.DOUBLE_ARRAY_OFFSET;
    return first + (long) (entry.at() + cell) * cellBytes;
  }
}
